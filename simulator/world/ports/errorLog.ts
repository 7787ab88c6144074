import { Cause, Exit, Logger, References } from "effect"
import { isFailure } from "../../../core/shared/Failure.ts"
import type { Auditor } from "../../auditor/Auditor.ts"
import { isOutOfReach } from "../processes/Process.ts"

/** Work that waits for something outside, such as exchange rates, and is tried again. */
const isPassing = ({ reasons }: Cause.Cause<unknown>): boolean =>
  reasons.length > 0 &&
  reasons.every(
    (reason) =>
      reason._tag === "Fail" &&
      isFailure(reason.error) &&
      reason.error.code === "TEMPORARILY_UNAVAILABLE",
  )

/**
 * Shows the auditor all that the service logs. What it logs as an error, nobody foresaw, save what
 * it finds out of reach.
 */
export const errorLog = (auditor: Auditor): Logger.Logger<unknown, void> =>
  Logger.make(({ cause, fiber, logLevel, message }) => {
    const what = `${String(message)} ${Cause.pretty(cause)}`
    const noted = JSON.stringify(fiber.getRef(References.CurrentLogAnnotations))
    auditor.see("refusal_text", "log", { where: "kyc or else", text: `${what} ${noted}` })
    if (logLevel !== "Error" && logLevel !== "Fatal") return
    if (isOutOfReach(Exit.failCause(cause)) || isPassing(cause)) return
    auditor.see("ending", "log", { where: "log", flaw: what })
  })
