import { Exit } from "effect"
import { isFailure } from "../../core/shared/Failure.ts"

interface Refusal {
  readonly code: string
  readonly field: string | undefined
  readonly details: object | undefined
}

/** Returns the failure that a verb has ended with; undefined if it has succeeded. */
export const failedWith = (exit: Exit.Exit<unknown, unknown>): Refusal | undefined => {
  if (Exit.isSuccess(exit)) return undefined
  const [failed] = exit.cause.reasons.flatMap((one) => ("error" in one ? [one.error] : []))
  if (!isFailure(failed)) return { code: "none", field: undefined, details: undefined }
  const { code, details, field } = failed
  return { code, field, details }
}
