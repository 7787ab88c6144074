import { Effect, Random, Redacted } from "effect"
import {
  HttpClient,
  type HttpClientError,
  HttpClientRequest,
  type HttpClientResponse,
} from "effect/http"
import { uuidv7 } from "uuidv7"
import { CreationLimitReached, errorOf, type PayportError, retryAfterOf } from "./PayportError.ts"

/** The options of a session's calls. */
export interface CallOptions {
  /** The account's key. */
  readonly apiKey: Redacted.Redacted
  /** Fetches another key after a 401; the request is then repeated once. */
  readonly rotate?: Effect.Effect<Redacted.Redacted, PayportError>
  /** The most payments of each flow that one session creates. */
  readonly mostCreations: { readonly intents: number; readonly oneTime: number }
}

/** Waits before the second, third and fourth attempt, in seconds (Errors). */
const BACKOFF = [1, 2, 4]

/** The random share by which a wait grows, so that callers do not return all at once. */
const JITTER = 0.25

const REPEATABLE = new Set(["GET", "HEAD", "PUT", "DELETE", "POST"])

/** Whether a second attempt is safe: every POST has an `Idempotency-Key`. */
const isRepeatable = (request: HttpClientRequest.HttpClientRequest): boolean =>
  REPEATABLE.has(request.method)

const shouldRetry = (
  request: HttpClientRequest.HttpClientRequest,
  response: HttpClientResponse.HttpClientResponse,
): boolean => {
  if (response.status === 429) return true
  const busy =
    response.status === 503 || (response.status === 409 && retryAfterOf(response) !== undefined)
  return busy && isRepeatable(request)
}

const wait = (attempt: number, atLeast: number) =>
  Effect.flatMap(Random.next, (chance) => {
    const seconds = Math.max(BACKOFF[attempt] ?? 0, atLeast) * (1 + chance * JITTER)
    return Effect.sleep(`${Math.ceil(seconds * 1000)} millis`)
  })

const prepared = (request: HttpClientRequest.HttpClientRequest) => {
  const strict = HttpClientRequest.setHeader(request, "Prefer", "handling=strict")
  return request.method === "POST" && request.headers["idempotency-key"] === undefined
    ? HttpClientRequest.setHeader(strict, "Idempotency-Key", uuidv7())
    : strict
}

/** Counts the payments that a session creates; retries do not count. */
const makeCounter = (most: CallOptions["mostCreations"]) => {
  const left = new Map([
    ["/v1/payment-intents", { limit: most.intents, created: 0 }],
    ["/v1/payments/one-time", { limit: most.oneTime, created: 0 }],
  ])
  return (request: HttpClientRequest.HttpClientRequest) => {
    const path = URL.parse(request.url)?.pathname ?? request.url
    const counted =
      request.method === "POST" ? [...left].find(([end]) => path.endsWith(end))?.[1] : undefined
    if (counted === undefined) return Effect.void
    if (counted.created >= counted.limit) {
      return Effect.fail(new CreationLimitReached({ limit: counted.limit }))
    }
    counted.created += 1
    return Effect.void
  }
}

type Response = HttpClientResponse.HttpClientResponse
type SessionError = HttpClientError.HttpClientError | PayportError | CreationLimitReached

/**
 * The HTTP client of one session. It sends the key, wants unknown fields refused, gives every POST
 * an `Idempotency-Key`, waits and retries after 429, 503 and broken connections (at most three
 * times), retries once with another key after a 401 if `rotate` fetches one, and limits the
 * payments that it creates.
 */
export const sessionClient = (
  base: HttpClient.HttpClient,
  options: CallOptions,
): HttpClient.HttpClient.With<SessionError> => {
  let key = options.apiKey
  const count = makeCounter(options.mostCreations)

  const send = Effect.fnUntraced(function* (
    request: HttpClientRequest.HttpClientRequest,
  ): Effect.fn.Return<Response, SessionError> {
    let rotated = false
    for (let attempt = 0; ; attempt++) {
      const signed = HttpClientRequest.bearerToken(request, Redacted.value(key))
      const sent = yield* Effect.result(base.execute(signed))
      const last = attempt >= BACKOFF.length
      if (sent._tag === "Failure") {
        const broken = sent.failure.reason._tag === "TransportError"
        if (!broken || last || !isRepeatable(request)) return yield* sent.failure
        yield* wait(attempt, 0)
        continue
      }
      const response = sent.success
      if (response.status < 400) return response
      if (response.status === 401 && options.rotate !== undefined && !rotated) {
        rotated = true
        key = yield* options.rotate
        continue
      }
      if (last || !shouldRetry(request, response)) return yield* yield* errorOf(response)
      yield* wait(attempt, retryAfterOf(response) ?? 0)
    }
  })

  return HttpClient.makeWith<never, never, SessionError, never>(
    (incoming) =>
      Effect.flatMap(incoming, (request) =>
        Effect.andThen(count(request), send(prepared(request))),
      ),
    Effect.succeed,
  )
}
