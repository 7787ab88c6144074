import { perform, type PerformOptions } from "../perform.ts"
import type { Script } from "../world/plans/Plan.ts"

/** Whether a script violates that invariant; a world that crashes does not count. */
export const breaksAgain = (
  script: Script,
  number: number,
  options: Pick<PerformOptions, "alterations"> = {},
): boolean => {
  try {
    const { violations } = perform(script, { ...options, stop_at: [number] })
    return violations.some((violation) => violation.number === number)
  } catch {
    return false
  }
}
