import { Cause, Effect, Option } from "effect"
import type { StoreUnavailable } from "../../../core/ports/Store.ts"
import { Failure, isFailure } from "../../../core/shared/Failure.ts"
import { answerOf, errorBody, type ErrorShape } from "../contract/Errors.ts"
import type { EventFeed } from "./EventFeed.ts"
import type { HandlerError } from "./Handlers.ts"
import { CallerGone } from "./readBody.ts"

/** The media type of answers that are bytes. */
const BYTES_TYPE = "image/png"

/** What is sent back: a body, a stream of events, or nothing to a caller that hung up. */
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

/** Names and values by turns, as node takes them. */
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

/** A 503 always says when to come back; other refusals do where they know. */
const retryAfter = (status: number, failure: Failure): RawHeaders => {
  const seconds = failure.retry_after ?? (status === 503 ? 1 : undefined)
  return seconds === undefined ? NO_HEADERS : ["Retry-After", String(Math.ceil(seconds))]
}

const challenge = (failure: Failure): RawHeaders =>
  failure.code === "UNAUTHORIZED" || failure.code === "INVALID_API_KEY"
    ? ["WWW-Authenticate", "Bearer"]
    : NO_HEADERS

/** How a refusal is answered. */
export const refused = (
  failure: Failure,
  shape: ErrorShape,
  headers: RawHeaders = NO_HEADERS,
): Answer<never> => {
  const { status } = answerOf(failure.code, failure.subject)
  return {
    type: "body",
    status,
    contentType: JSON_TYPE,
    text: JSON.stringify(errorBody(failure, shape)),
    headers: [...headers, ...retryAfter(status, failure), ...challenge(failure)],
    code: failure.code,
  }
}

const unavailable = () =>
  new Failure({
    code: "TEMPORARILY_UNAVAILABLE",
    message: "The service cannot reach its store. Repeat the request in a second.",
    retry_after: 1,
  })

const internal = (requestId: string, shape: ErrorShape): Answer<never> => {
  const failure = new Failure({
    code: "INTERNAL_ERROR",
    message: "Something went wrong on our side. The request_id names it to the operator.",
  })
  return {
    type: "body",
    status: 500,
    contentType: JSON_TYPE,
    text: JSON.stringify(errorBody(failure, shape, requestId)),
    headers: NO_HEADERS,
    code: failure.code,
  }
}

const isStoreUnavailable = (error: unknown): error is StoreUnavailable =>
  typeof error === "object" && error !== null && Reflect.get(error, "_tag") === "StoreUnavailable"

/** What a cause is answered with; whatever was not meant to happen is logged and not shown. */
export const explain = (
  cause: Cause.Cause<unknown>,
  requestId: string,
  shape: ErrorShape,
): Effect.Effect<Answer<never>> => {
  const error = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (isFailure(error)) return Effect.succeed(refused(error, shape))
  if (error instanceof CallerGone) return Effect.succeed({ type: "none", status: 499 })
  if (isStoreUnavailable(error)) {
    return Effect.as(
      Effect.logWarning("store unavailable", error.cause),
      refused(unavailable(), shape),
    )
  }
  return Effect.as(Effect.logError("request failed", cause), internal(requestId, shape))
}
