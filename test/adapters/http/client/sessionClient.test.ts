import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Redacted } from "effect"
import { HttpClient, HttpClientError, HttpClientRequest, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { type CallOptions, sessionClient } from "../../../../adapters/http/client/sessionClient.ts"

type Said = Response | "broken"

const answer = (
  status: number,
  body: object = {},
  headers: { readonly [name: string]: string } = {},
): Response => new Response(JSON.stringify(body), { status, headers })

const busy = (status: number, code: string, retryAfter?: number) =>
  answer(
    status,
    { error: "busy", code, message: "Later." },
    retryAfter === undefined ? {} : { "retry-after": String(retryAfter) },
  )

/** A service that answers as told, and what it was asked. */
const service = (...said: ReadonlyArray<Said>) => {
  const asked: Array<HttpClientRequest.HttpClientRequest> = []
  const client = HttpClient.make((request) => {
    asked.push(request)
    const next = said[Math.min(asked.length, said.length) - 1] ?? "broken"
    return next === "broken"
      ? Effect.fail(
          new HttpClientError.HttpClientError({
            reason: new HttpClientError.TransportError({ request, cause: "reset" }),
          }),
        )
      : Effect.succeed(HttpClientResponse.fromWeb(request, next.clone()))
  })
  return { client, asked }
}

const calling = (said: Partial<CallOptions> = {}): CallOptions => ({
  apiKey: Redacted.make("key-1"),
  mostCreations: { intents: 3, oneTime: 4 },
  ...said,
})

const URL_OF = "http://payport.test/v1/services"
const get = HttpClientRequest.get(URL_OF)
const post = HttpClientRequest.post(URL_OF)

/** Runs a request while the clock goes on for so many seconds. */
const within = (
  seconds: number,
  client: ReturnType<typeof sessionClient>,
  request: HttpClientRequest.HttpClientRequest,
) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(Effect.exit(client.execute(request)))
    yield* TestClock.adjust(`${seconds} seconds`)
    const exit = fiber.pollUnsafe()
    return exit === undefined || Exit.isFailure(exit) ? undefined : exit.value
  })

const failureOf = (exit: Exit.Exit<unknown, unknown> | undefined) => {
  if (exit === undefined || Exit.isSuccess(exit)) return undefined
  const reason = exit.cause.reasons[0]
  return reason?._tag === "Fail" ? (reason.error as { readonly [key: string]: unknown }) : undefined
}

describe("the client", () => {
  it.effect("sends the key, and an Idempotency-Key with every POST", () =>
    Effect.gen(function* () {
      const { client, asked } = service(answer(200))
      const speaking = sessionClient(client, calling())
      yield* speaking.execute(get)
      yield* speaking.execute(post)
      yield* speaking.execute(HttpClientRequest.setHeader(post, "Idempotency-Key", "mine"))
      assert.strictEqual(asked[0]?.headers["authorization"], "Bearer key-1")
      assert.strictEqual(asked[0]?.headers["idempotency-key"], undefined)
      assert.match(asked[1]?.headers["idempotency-key"] ?? "", /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
      assert.strictEqual(asked[2]?.headers["idempotency-key"], "mine")
    }),
  )

  it.effect("comes back after 503 at 1, 2 and 4 seconds and a little more, then gives up", () =>
    Effect.gen(function* () {
      const { client, asked } = service(busy(503, "TEMPORARILY_UNAVAILABLE"))
      const speaking = sessionClient(client, calling())
      const fiber = yield* Effect.forkChild(Effect.exit(speaking.execute(post)))
      const counts: Array<number> = []
      for (const seconds of [0, 0.99, 0.27, 1.73, 0.77, 3.23, 1.77]) {
        yield* TestClock.adjust(`${seconds} seconds`)
        counts.push(asked.length)
      }
      assert.deepStrictEqual(counts, [1, 1, 2, 2, 3, 3, 4])
      const failure = failureOf(yield* Fiber.join(fiber))
      assert.strictEqual(failure?.["code"], "TEMPORARILY_UNAVAILABLE")
      assert.strictEqual(failure?.["status"], 503)
      assert.strictEqual(new Set(asked.map(({ headers }) => headers["idempotency-key"])).size, 1)
    }),
  )

  it.effect("waits as long as Retry-After says, also while its first attempt still runs", () =>
    Effect.gen(function* () {
      const limited = service(busy(429, "RATE_LIMIT_EXCEEDED", 30), answer(200))
      const speaking = sessionClient(limited.client, calling())
      assert.strictEqual(yield* within(29, speaking, get), undefined)
      assert.strictEqual(limited.asked.length, 1)
      const again = service(busy(429, "RATE_LIMIT_EXCEEDED", 30), answer(200))
      const exit = yield* within(38, sessionClient(again.client, calling()), get)
      assert.strictEqual(exit?._tag, "Success")
      const running = service(busy(409, "IDEMPOTENCY_KEY_IN_PROGRESS", 1), answer(201))
      const second = yield* within(2, sessionClient(running.client, calling()), post)
      assert.strictEqual(second?._tag, "Success")
    }),
  )

  it.effect("repeats after broken connections what may be repeated, and nothing else", () =>
    Effect.gen(function* () {
      const first = service("broken", answer(200))
      assert.strictEqual(
        (yield* within(2, sessionClient(first.client, calling()), post))?._tag,
        "Success",
      )
      const second = service("broken", answer(200))
      const patch = HttpClientRequest.patch(URL_OF)
      const moved = yield* within(2, sessionClient(second.client, calling()), patch)
      assert.strictEqual(moved?._tag, "Failure")
      assert.strictEqual(second.asked.length, 1)
    }),
  )

  it.effect("does not repeat what would be refused again", () =>
    Effect.gen(function* () {
      const details = [{ field: "name", reason: "is required" }]
      const { client, asked } = service(
        answer(
          422,
          {
            error: "validation_error",
            code: "MISSING_REQUIRED_FIELD",
            message: "The field name is required.",
            field: "name",
            details,
          },
          { "x-request-id": "req_1" },
        ),
      )
      const failure = failureOf(yield* within(20, sessionClient(client, calling()), post))
      assert.strictEqual(asked.length, 1)
      assert.deepInclude(failure, {
        _tag: "PayportError",
        status: 422,
        code: "MISSING_REQUIRED_FIELD",
        category: "validation_error",
        field: "name",
        details,
        request_id: "req_1",
      })
    }),
  )

  it.effect("reads the nested shape of errors, and answers that are no errors of the service", () =>
    Effect.gen(function* () {
      const nested = service(
        answer(409, {
          error: { code: "REFUND_LIMIT_EXCEEDED", message: "No more.", details: { left: 0 } },
        }),
      )
      const refused = failureOf(yield* within(1, sessionClient(nested.client, calling()), get))
      assert.deepInclude(refused, { code: "REFUND_LIMIT_EXCEEDED", message: "No more." })
      const proxy = service(new Response("<html>Bad gateway</html>", { status: 502 }))
      const odd = failureOf(yield* within(1, sessionClient(proxy.client, calling()), get))
      assert.deepInclude(odd, { status: 502, code: "UNEXPECTED_ANSWER" })
    }),
  )

  it.effect("gets another key after a 401, once", () =>
    Effect.gen(function* () {
      const denied = () => answer(401, { error: "a", code: "INVALID_API_KEY", message: "m" })
      const keys = ["key-2", "key-3"]
      const rotate = Effect.sync(() => Redacted.make(keys.shift() ?? "none"))
      const first = service(denied(), answer(200), answer(200))
      const speaking = sessionClient(first.client, calling({ rotate }))
      yield* speaking.execute(get)
      yield* speaking.execute(get)
      assert.deepStrictEqual(
        first.asked.map(({ headers }) => headers["authorization"]),
        ["Bearer key-1", "Bearer key-2", "Bearer key-2"],
      )
      const second = service(denied())
      const failure = failureOf(
        yield* within(1, sessionClient(second.client, calling({ rotate })), get),
      )
      assert.strictEqual(failure?.["code"], "INVALID_API_KEY")
      assert.strictEqual(second.asked.length, 2)
      const third = service(denied())
      yield* within(1, sessionClient(third.client, calling()), get)
      assert.strictEqual(third.asked.length, 1)
    }),
  )

  it.effect("creates at most three payments in one session, however often each is sent", () =>
    Effect.gen(function* () {
      const { client, asked } = service("broken", answer(201))
      const speaking = sessionClient(client, calling())
      const create = HttpClientRequest.post("http://payport.test/v1/payment-intents")
      for (let n = 0; n < 3; n++) {
        assert.strictEqual((yield* within(2, speaking, create))?._tag, "Success")
      }
      const fourth = failureOf(yield* within(2, speaking, create))
      assert.strictEqual(fourth?.["_tag"], "CreationLimitReached")
      assert.strictEqual(asked.length, 4)
      const capture = HttpClientRequest.post("http://payport.test/v1/payment-intents/pi_1/capture")
      assert.strictEqual((yield* within(2, speaking, capture))?._tag, "Success")
      const next = sessionClient(client, calling())
      assert.strictEqual((yield* within(2, next, create))?._tag, "Success")
    }),
  )
})
