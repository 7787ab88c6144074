import { Cause, Exit, Logger } from "effect"
import { Failure } from "../../core/shared/Failure.ts"
import type { Auditor } from "../auditor/Auditor.ts"
import { isOutOfReach } from "./Process.ts"

/** Work that waits for something outside, such as exchange rates, and is tried again. */
const isPassing = ({ reasons }: Cause.Cause<unknown>): boolean =>
  reasons.length > 0 &&
  reasons.every(
    (reason) =>
      reason._tag === "Fail" &&
      reason.error instanceof Failure &&
      reason.error.code === "TEMPORARILY_UNAVAILABLE",
  )

/** What the service logs as an error, nobody foresaw, save what it finds out of reach. */
export const errorLog = (auditor: Auditor): Logger.Logger<unknown, void> =>
  Logger.make(({ message, cause }) => {
    if (isOutOfReach(Exit.failCause(cause)) || isPassing(cause)) return
    const what = `${String(message)} ${Cause.pretty(cause)}`
    auditor.see("ending", "log", { where: "log", flaw: what })
  })
