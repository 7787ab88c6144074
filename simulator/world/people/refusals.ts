import { Cause, Exit, Option } from "effect"
import { StoreUnavailable } from "../../../core/ports/Store.ts"
import { isKeptRefusal } from "../../../core/idempotency/Reply.ts"
import {
  type Failure,
  type FailureCode,
  isFailure,
  statusOf,
} from "../../../core/shared/Failure.ts"
import { ConnectionLost } from "../processes/Process.ts"

/** The text of a refusal that is kept for retries. */
export const renderFailure = ({ code }: Failure, status: number): string => `${status}${code}`

/** The same, for whoever has been refused; undefined where it is not kept. */
export const keptText = (failure: Failure): string | undefined => {
  const { code, retry_after, subject } = failure
  const status = statusOf(code, subject)
  return isKeptRefusal({ code, retry_after, status }) ? renderFailure(failure, status) : undefined
}

/** Refusals after which the same request is worth sending again. */
export const PASSING: ReadonlySet<string> = new Set<FailureCode>([
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
