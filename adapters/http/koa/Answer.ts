import { Cause, Effect, Option } from "effect"
import { StoreUnavailable } from "../../../core/ports/Store.ts"
import type { Failure } from "../../../core/shared/Failure.ts"
import { failureOf } from "../../shared/failureOf.ts"
import { CallerGone } from "../../shared/readBody.ts"
import { answerOf, errorBody, type ErrorShape } from "../contract/Errors.ts"
import type { EventFeed } from "./EventFeed.ts"
import type { HandlerError } from "./Handlers.ts"

/** The media type of answers that are bytes. */
const BYTES_TYPE = "image/png"

/** A response: a body, a stream of events, or nothing for a caller that hung up. */
export type Answer<R> =
  | {
      readonly type: "body"
      readonly status: number
      readonly contentType: string
      readonly text: string | Uint8Array
      readonly headers: ReadonlyArray<string>
      /** The code of a refusal, for the log. */
      readonly code: string | null
    }
  | {
      readonly type: "events"
      readonly status: 200
      readonly feed: EventFeed<unknown, HandlerError, R>
    }
  | { readonly type: "none"; readonly status: 499 }

/** Names and values alternately, as node takes them. */
export type RawHeaders = ReadonlyArray<string>

const JSON_TYPE = "application/json; charset=utf-8"
const NO_HEADERS: RawHeaders = []

/** A JSON or text body. */
export const body = (
  status: number,
  text: string,
  contentType: string = JSON_TYPE,
  headers: RawHeaders = NO_HEADERS,
): Answer<never> => ({ type: "body", status, contentType, text, headers, code: null })

/** A body of bytes. */
export const picture = (status: number, content: Uint8Array): Answer<never> => ({
  type: "body",
  status,
  contentType: BYTES_TYPE,
  text: content,
  headers: NO_HEADERS,
  code: null,
})

/** The `Retry-After` of a refusal: of every 503, and of others that have one. */
const retryAfter = (status: number, failure: Failure): RawHeaders => {
  const seconds = failure.retry_after ?? (status === 503 ? 1 : undefined)
  return seconds === undefined ? NO_HEADERS : ["Retry-After", String(Math.ceil(seconds))]
}

const challenge = (failure: Failure): RawHeaders =>
  failure.code === "UNAUTHORIZED" || failure.code === "INVALID_API_KEY"
    ? ["WWW-Authenticate", "Bearer"]
    : NO_HEADERS

/** The answer to a refusal; `requestId` is part of its body where it is given. */
export const refused = (
  failure: Failure,
  shape: ErrorShape,
  headers: RawHeaders = NO_HEADERS,
  requestId?: string,
): Answer<never> => {
  const { status } = answerOf(failure.code, failure.subject)
  return {
    type: "body",
    status,
    contentType: JSON_TYPE,
    text: JSON.stringify(errorBody(failure, shape, requestId)),
    headers: [...headers, ...retryAfter(status, failure), ...challenge(failure)],
    code: failure.code,
  }
}

/**
 * The answer to a request that failed. A failure that the service did not intend is logged, and its
 * answer shows no more of it than the request's id.
 */
export const explain = (
  cause: Cause.Cause<unknown>,
  requestId: string,
  shape: ErrorShape,
): Effect.Effect<Answer<never>> => {
  const error = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (error instanceof CallerGone) return Effect.succeed({ type: "none", status: 499 })
  const failure = failureOf(cause)
  if (failure === error) return Effect.succeed(refused(failure, shape))
  return error instanceof StoreUnavailable
    ? Effect.as(Effect.logWarning("store unavailable", error.cause), refused(failure, shape))
    : Effect.as(
        Effect.logError("request failed", cause),
        refused(failure, shape, NO_HEADERS, requestId),
      )
}
