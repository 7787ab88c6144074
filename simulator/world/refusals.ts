import { Cause, Exit, Option } from "effect"
import { StoreUnavailable } from "../../core/ports/Store.ts"
import { type Failure, type FailureCode, isFailure } from "../../core/shared/Failure.ts"
import { ConnectionLost } from "./Process.ts"

/** Refusals that are kept for retries: those answered 409 and 422, save idempotency's own. */
const KEPT: ReadonlySet<FailureCode> = new Set([
  "SERVICE_NOT_ACTIVE",
  "CHANNEL_UNAVAILABLE",
  "CHANNEL_NO_DEEPLINK",
  "MISSING_REQUIRED_FIELD",
  "INVALID_REQUEST",
  "REFUND_CHANNEL_REJECTED",
  "REFUND_EXCEEDS_PAYMENT",
  "REFUND_LIMIT_EXCEEDED",
  "refund_exceeds_revocable",
])

/** The text that is kept for retries of a refused request; undefined where none is. */
export const keptText = (failure: Failure): string | undefined =>
  KEPT.has(failure.code) ? `409${failure.code}` : undefined

/** Refusals after which the same request is worth sending again. */
export const PASSING: ReadonlySet<string> = new Set([
  "IDEMPOTENCY_KEY_IN_PROGRESS",
  "TEMPORARILY_UNAVAILABLE",
])

/** How a client sees a failure that is foreseen; undefined for one that is not. */
export const codeOf = (error: unknown): string | undefined => {
  if (isFailure(error)) return error.code
  if (error instanceof ConnectionLost) return "CONNECTION_LOST"
  if (!(error instanceof StoreUnavailable)) return undefined
  return error.outcome === "unknown" ? "CONNECTION_LOST" : "TEMPORARILY_UNAVAILABLE"
}

/** The payment that a refusal names. */
export const paymentIn = (exit: Exit.Exit<unknown, unknown>): string | undefined => {
  const error = Exit.isFailure(exit)
    ? Option.getOrUndefined(Cause.findErrorOption(exit.cause))
    : undefined
  const details = isFailure(error) ? error.details : undefined
  const { payment_intent } = (details ?? {}) as { readonly payment_intent?: unknown }
  return typeof payment_intent === "string" ? payment_intent : undefined
}

/** All that a refusal says. */
export const textOf = ({ details, message }: Failure): string =>
  details === undefined ? message : `${message} ${JSON.stringify(details)}`
