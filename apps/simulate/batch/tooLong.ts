import { toIso } from "../../../core/shared/Timestamp.ts"
import type { LastStep } from "./LastStep.ts"

/** Returns the message for a world that has not ended in so many seconds. */
export const tooLong = (seconds: number, last: LastStep | undefined): string => {
  const limit = `It did not end within ${seconds} s of real time (--world-timeout)`
  if (last === undefined) return `${limit}, and came to no step.`
  return `${limit}. Its last step was number ${last.n}, at ${toIso(last.at)}: ${last.what}`
}
