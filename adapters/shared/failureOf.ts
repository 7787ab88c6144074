import { Cause, Option } from "effect"
import { StoreUnavailable } from "../../core/ports/Store.ts"
import { Failure, isFailure } from "../../core/shared/Failure.ts"

/**
 * The failure that a caller is shown: the cause's own; `TEMPORARILY_UNAVAILABLE` where the store
 * cannot be reached; `INTERNAL_ERROR`, which says nothing of the cause, for everything else.
 */
export const failureOf = (cause: Cause.Cause<unknown>): Failure => {
  const error = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (isFailure(error)) return error
  return error instanceof StoreUnavailable
    ? new Failure({
        code: "TEMPORARILY_UNAVAILABLE",
        message: "The service cannot reach its store. Repeat the request in a second.",
        retry_after: 1,
      })
    : new Failure({
        code: "INTERNAL_ERROR",
        message: "Something went wrong on our side. The request_id names it to the operator.",
      })
}
