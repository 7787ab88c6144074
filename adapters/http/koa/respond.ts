import { Cause, Effect, Option } from "effect"
import type { Incoming, Outgoing } from "../../shared/Exchange.ts"
import { StoreUnavailable } from "../../../core/ports/Store.ts"
import type { Asker } from "../../../core/shared/CurrentAsker.ts"
import type { Failure } from "../../../core/shared/Failure.ts"
import { failureOf, hostRefusal } from "../../shared/failureOf.ts"
import { announcedLength, CallerGone } from "../../shared/readBody.ts"
import { answerOf, errorBody, type ErrorShape } from "../contract/Errors.ts"
import type { EventFeed } from "../../shared/streams/EventFeed.ts"
import type { HandlerError } from "./Handlers.ts"
import type { Standing } from "../../../core/billing/RateWindow.ts"

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
): Extract<Answer<never>, { readonly type: "body" }> => {
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
  const isMeant = failure === error || failure === hostRefusal(cause)
  if (isMeant) return Effect.succeed(refused(failure, shape))
  return error instanceof StoreUnavailable
    ? Effect.as(Effect.logWarning("store unavailable", error.cause), refused(failure, shape))
    : Effect.as(
        Effect.logError("request failed", cause),
        refused(failure, shape, NO_HEADERS, requestId),
      )
}

/** How long a caller may go on sending an unread body, in milliseconds. */
const LINGER = 500

/** Who asks in a request, once that is known, and how old its answer may be. */
export class RequestAsker implements Asker {
  name: string | null = null
  /** In milliseconds; null where everything in the answer is of now. */
  age: number | null = null
  readonly accepts: Asker["accepts"]

  constructor(mayBeStale: boolean) {
    this.accepts = mayBeStale ? (age) => void (this.age = Math.max(age, this.age ?? 0)) : undefined
  }
}

/** The seconds of the header, to the millisecond and never younger than it is. */
const ageText = (milliseconds: number): string => (Math.ceil(milliseconds) / 1_000).toFixed(3)

/** The values of the headers that every response has. */
export interface CommonHeaders {
  readonly requestId: string
  readonly idempotencyKey: string | null
  /** The account's use of its rate in this minute; null where no rate applies. */
  readonly standing: Standing | null
  /** The names of the body's ignored fields, or that they are refused. */
  readonly fields: { readonly ignored: string | null; readonly strict: boolean }
  /** How old what is shown may be, in milliseconds; null where it is of now. */
  readonly age?: number | null
  /** Whether the connection closes after this response. */
  readonly close: boolean
}

/**
 * The headers of a response as alternating names and values; one that `isKept` says itself for how
 * long.
 */
export const headOf = (common: CommonHeaders, isKept = false): Array<string> => {
  const head = ["X-Request-Id", common.requestId, "X-Content-Type-Options", "nosniff"]
  if (!isKept) head.push("Cache-Control", "no-store")
  if (common.idempotencyKey !== null) head.push("Idempotency-Key", common.idempotencyKey)
  if (common.fields.ignored !== null) head.push("Payport-Ignored-Fields", common.fields.ignored)
  if (common.fields.strict) head.push("Preference-Applied", "handling=strict")
  if (common.standing !== null) {
    const { limit, remaining, reset } = common.standing
    head.push("RateLimit-Limit", String(limit), "RateLimit-Remaining", String(remaining))
    head.push("RateLimit-Reset", String(reset))
  }
  if (typeof common.age === "number") head.push("Payport-Data-Age", ageText(common.age))
  if (common.close) head.push("Connection", "close")
  return head
}

/** Whether the rest of the body is too long to be read for keeping the connection. */
const isLongBody = (req: Incoming, limit: number): boolean => {
  if (req.complete) return false
  const announced = announcedLength(req)
  return announced === undefined || announced > limit
}

/**
 * Ends the response a little later than its last byte. Closing at once on a caller that still sends
 * resets the connection, and the reset may overtake the response.
 */
const endLater = (req: Incoming, res: Outgoing) => {
  const end = () => {
    clearTimeout(timer)
    res.end()
  }
  const timer = setTimeout(end, LINGER)
  req.on("end", end).on("close", end)
  req.resume()
}

/** Sends a body. Does nothing for a caller that hung up. */
export const respond = (
  req: Incoming,
  res: Outgoing,
  answer: Extract<Answer<unknown>, { type: "body" }>,
  common: CommonHeaders,
  limit: number,
): void => {
  if (res.destroyed) return
  const long = isLongBody(req, limit)
  const { text } = answer
  const bytes = typeof text === "string" ? Buffer.byteLength(text) : text.length
  const { contentType, headers, status } = answer
  const head = headOf({ ...common, close: common.close || long }, headers.includes("Cache-Control"))
  // What a reader has already is told of by its tag alone.
  if (status !== 304) head.push("Content-Type", contentType, "Content-Length", String(bytes))
  head.push(...headers)
  res.writeHead(status, head)
  if (!long) {
    // ASCII is the same in both encodings, and latin1 is cheaper to write.
    if (typeof text === "string") res.end(text, bytes === text.length ? "latin1" : "utf8")
    else res.end(text)
    return
  }
  res.write(text)
  endLater(req, res)
}
