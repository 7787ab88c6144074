import { Data, Effect } from "effect"
import type { HttpClientResponse } from "effect/http"
import type { Failure } from "../../../core/shared/Failure.ts"
import { answerOf } from "../contract/Errors.ts"

/** A refusal by the service, or by this client when the service would refuse. */
export class PayportError extends Data.TaggedError("PayportError")<{
  readonly status: number
  /** The error code (Errors); `UNEXPECTED_ANSWER` when the body is not an error's. */
  readonly code: string
  readonly category: string
  readonly message: string
  readonly field?: string
  readonly details?: unknown
  /** Names the request to the operator. */
  readonly request_id?: string
  /** Seconds to wait before the next attempt. */
  readonly retry_after?: number
}> {}

/** At most three payments are created in one session (Limits, client retries). */
export class CreationLimitReached extends Data.TaggedError("CreationLimitReached")<{
  readonly limit: number
}> {
  override get message(): string {
    return `This session has created ${this.limit} payments. Begin a new session for more.`
  }
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/** The seconds of a `Retry-After` header; undefined when it has none. */
export const retryAfterOf = ({
  headers,
}: HttpClientResponse.HttpClientResponse): number | undefined => {
  const seconds = Number(headers["retry-after"])
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}

/** The error in a response of 400 or more, in either shape (Errors 1 and 2). */
export const errorOf = Effect.fnUntraced(function* (
  response: HttpClientResponse.HttpClientResponse,
) {
  const body: unknown = yield* Effect.orElseSucceed(response.json, () => null)
  const flat = typeof body === "object" && body !== null ? (body as { [key: string]: unknown }) : {}
  const nested =
    typeof flat["error"] === "object" && flat["error"] !== null
      ? (flat["error"] as { [key: string]: unknown })
      : undefined
  const facts = nested ?? flat
  const field = text(facts["field"])
  const requestId = text(facts["request_id"]) ?? response.headers["x-request-id"]
  const retryAfter = retryAfterOf(response)
  return new PayportError({
    status: response.status,
    code: text(facts["code"]) ?? "UNEXPECTED_ANSWER",
    category: text(flat["error"]) ?? "unknown",
    message: text(facts["message"]) ?? `The service answered ${response.status}.`,
    ...(field !== undefined && { field }),
    ...(facts["details"] !== undefined && { details: facts["details"] }),
    ...(requestId !== undefined && { request_id: requestId }),
    ...(retryAfter !== undefined && { retry_after: retryAfter }),
  })
})

/** The error that the service would send for this failure. */
export const fromFailure = (failure: Failure): PayportError => {
  const { code, message, field, details, subject } = failure
  return new PayportError({
    ...answerOf(code, subject),
    code,
    message,
    ...(field !== undefined && { field }),
    ...(details !== undefined && { details }),
  })
}
