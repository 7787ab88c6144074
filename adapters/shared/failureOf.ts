import { Cause, Option } from "effect"
import { WrongClock } from "../../core/ports/ReferenceClock.ts"
import { StoreUnavailable } from "../../core/ports/Store.ts"
import { Unsealable } from "../../core/ports/Vault.ts"
import { Failure, isFailure } from "../../core/shared/Failure.ts"

/** Why the store is not used, for callers. */
const reasonOf = ({ cause, trouble }: StoreUnavailable): string => {
  if (cause instanceof WrongClock) return cause.message
  return trouble === "keys"
    ? "This process has to be started again with the present master key."
    : "The service cannot reach its store."
}

/** The audit log lacks entries, or has more than its head tells: nobody's act is carried out. */
const unrecorded = () =>
  new Failure({
    code: "TEMPORARILY_UNAVAILABLE",
    message:
      "The audit log does not end with the entry that its head names, so the act cannot be " +
      "recorded, and was not carried out. It was changed, or restored in part: run `payport " +
      "doctor`, and repeat the request once the log is repaired.",
    details: { reason: "audit" },
    retry_after: 60,
  })

const unreachable = (error: StoreUnavailable) =>
  error.trouble === "audit"
    ? unrecorded()
    : new Failure({
        code: "TEMPORARILY_UNAVAILABLE",
        message: `${reasonOf(error)} Repeat the request in a second.`,
        retry_after: 1,
      })

/** The answer is stored, but the key that sealed it is gone, or cannot be read at present. */
const answerUnreadable = () =>
  new Failure({
    code: "OUTCOME_UNKNOWN",
    message:
      "A request with this Idempotency-Key was answered, but the stored answer cannot be read. " +
      "Look for what the request made before you send it under another key. Repeating it under " +
      "this key is safe, and does nothing again.",
    retry_after: 5,
  })

const outcomeUnknown = ({ cause, subject }: StoreUnavailable) => {
  if (cause instanceof Unsealable) return answerUnreadable()
  return new Failure({
    code: "OUTCOME_UNKNOWN",
    message: [
      "The store did not answer in time, and the request may have taken effect.",
      subject === undefined ? [] : `Look for ${subject} before you repeat the request.`,
      "Repeating it under its Idempotency-Key is safe. Without a key, it may take effect twice.",
    ]
      .flat()
      .join(" "),
    ...(subject !== undefined && { details: { id: subject } }),
    retry_after: 5,
  })
}

/** Returns the refusal of a host in the commit's transaction. It bypasses every use case. */
export const hostRefusal = ({ reasons }: Cause.Cause<unknown>): Failure | undefined => {
  for (const reason of reasons) {
    if (reason._tag === "Die" && isFailure(reason.defect)) return reason.defect
  }
  return undefined
}

/**
 * Returns the failure for the caller: the cause's own or a host's; `TEMPORARILY_UNAVAILABLE` if the
 * store is unreachable; `OUTCOME_UNKNOWN` if a commit got no answer; `INTERNAL_ERROR` without the
 * cause for everything else.
 */
export const failureOf = (cause: Cause.Cause<unknown>): Failure => {
  const error = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (isFailure(error)) return error
  if (error instanceof StoreUnavailable) {
    return error.outcome === "unknown" ? outcomeUnknown(error) : unreachable(error)
  }
  const internal = new Failure({
    code: "INTERNAL_ERROR",
    message: "The service has failed. Tell its operator the request_id.",
  })
  return hostRefusal(cause) ?? internal
}
