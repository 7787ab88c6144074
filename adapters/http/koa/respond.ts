import { Cause, Effect, Option } from "effect"
import { type Incoming, isFramed, type Outgoing } from "../../shared/Exchange.ts"
import { StoreUnavailable } from "../../../core/ports/Store.ts"
import type { Asker } from "../../../core/shared/CurrentAsker.ts"
import { Failure } from "../../../core/shared/Failure.ts"
import { failureOf, hostRefusal } from "../../shared/failureOf.ts"
import { announcedLength, CallerGone } from "../../shared/readBody.ts"
import { answerOf, errorBody, type ErrorShape } from "../contract/Errors.ts"
import type { EventFeed } from "../../shared/streams/EventFeed.ts"
import type { HandlerError } from "./Handlers.ts"
import { TOO_SLOW } from "./malformed.ts"
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

/** Names and values in alternation, as Node takes them. */
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

/** Returns the `Retry-After` of a refusal: every 503 has one, and some others. */
const retryAfter = (status: number, failure: Failure): RawHeaders => {
  const seconds = failure.retry_after ?? (status === 503 ? 1 : undefined)
  return seconds === undefined ? NO_HEADERS : ["Retry-After", String(Math.ceil(seconds))]
}

const challenge = (failure: Failure): RawHeaders =>
  failure.code === "UNAUTHORIZED" || failure.code === "INVALID_API_KEY"
    ? ["WWW-Authenticate", "Bearer"]
    : NO_HEADERS

/** Returns the answer to a refusal. A given `requestId` is part of its body. */
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

/** Returns the answer to a request whose body did not arrive in time. */
export const tooSlow = (shape: ErrorShape): ReturnType<typeof refused> => {
  const { message, status } = TOO_SLOW
  return { ...refused(new Failure({ code: "INVALID_REQUEST", message }), shape), status }
}

/**
 * Returns the answer to a request that failed. An unexpected failure is logged, and its answer
 * shows only the request's id.
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

/** How long an unread body is received before the connection closes, in milliseconds. */
const LINGER = 500

/** The caller of a request, once known, and the age of its answer. */
export class RequestAsker implements Asker {
  name: string | null = null
  /** In milliseconds. Null if everything in the answer is current. */
  age: number | null = null
  readonly accepts: Asker["accepts"]

  constructor(mayBeStale: boolean) {
    this.accepts = mayBeStale ? (age) => void (this.age = Math.max(age, this.age ?? 0)) : undefined
  }
}

/** Returns the header's seconds, to the millisecond and rounded up. */
const ageText = (milliseconds: number): string => (Math.ceil(milliseconds) / 1_000).toFixed(3)

/** The values of the headers that every response has. */
export interface CommonHeaders {
  readonly requestId: string
  readonly idempotencyKey: string | null
  /** The account's use of its rate in this minute. Null if no rate applies. */
  readonly standing: Standing | null
  /** The names of the body's ignored fields, and whether unknown fields are refused. */
  readonly fields: { readonly ignored: string | null; readonly strict: boolean }
  /** The age of the shown data, in milliseconds. Null if they are current. */
  readonly age?: number | null
  /** Whether the connection closes after this response. */
  readonly close: boolean
}

/**
 * Returns the headers of a response as alternating names and values. A cacheable response
 * (`isKept`) has its own `Cache-Control`.
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

/** Whether the rest of the body is too long to be read just to keep the connection. */
const isLongBody = (req: Incoming, limit: number): boolean => {
  if (req.complete) return false
  const announced = announcedLength(req)
  return announced === undefined || announced > limit
}

/**
 * Ends the response shortly after its last byte. Closing at once while the caller still sends
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

/** Sends a body. Does nothing if the caller has hung up. */
export const respond = (
  req: Incoming,
  res: Outgoing,
  answer: Extract<Answer<unknown>, { type: "body" }>,
  common: CommonHeaders,
  limit: number,
): void => {
  if (res.destroyed) return
  // Nobody waits once more for the rest of what did not arrive in time. HTTP/2: see `endUnread`.
  const isOwn = !isFramed(req)
  const long = isOwn && (isLongBody(req, limit) || answer.status === TOO_SLOW.status)
  const { text } = answer
  const bytes = typeof text === "string" ? Buffer.byteLength(text) : text.length
  const { contentType, headers, status } = answer
  const close = isOwn && (common.close || long)
  const head = headOf({ ...common, close }, headers.includes("Cache-Control"))
  // A 304 has no body, only the tag.
  if (status !== 304) head.push("Content-Type", contentType, "Content-Length", String(bytes))
  head.push(...headers)
  res.writeHead(status, head)
  if (!long) {
    // ASCII is the same in both encodings, and latin1 is faster to write.
    if (typeof text === "string") res.end(text, bytes === text.length ? "latin1" : "utf8")
    else res.end(text)
    return
  }
  res.write(text)
  endLater(req, res)
}
