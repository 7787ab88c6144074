import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { makeClient } from "../../../../adapters/http/client/client.ts"
import { ConnectionFailed } from "../../../../adapters/http/client/PayportError.ts"
import type { ClientOptions } from "../../../../adapters/http/client/RequestOptions.ts"
import { LAST_STATUSES } from "../../../../adapters/http/client/watchStates.ts"
import {
  hasEnded,
  type PaymentIntent,
  SHOWN_STATUSES,
} from "../../../../core/payments/PaymentIntent.ts"

type Said = Response | "broken" | "silent"

const answer = (
  status: number,
  body: object = {},
  headers: { readonly [name: string]: string } = {},
): Response => Response.json(body, { status, headers })

const busy = (status: number, code: string, retryAfter?: number) =>
  answer(
    status,
    { error: "busy", code, message: "Later." },
    retryAfter === undefined ? {} : { "retry-after": String(retryAfter) },
  )

/** A client of a service with the given answers, and its requests. */
const speaking = (said: ReadonlyArray<Said>, options: Partial<ClientOptions> = {}) => {
  const asked: Array<{ readonly url: string; readonly headers: Headers }> = []
  const client = makeClient({
    baseUrl: "http://payport.test",
    apiKey: "key-1",
    fetch: (url, init) => {
      asked.push({ url, headers: new Headers(init.headers) })
      const next = said[Math.min(asked.length, said.length) - 1] ?? "broken"
      if (next === "broken") return Promise.reject(new TypeError("fetch failed"))
      if (next !== "silent") return Promise.resolve(next.clone())
      return new Promise((_, reject) => {
        init.signal?.addEventListener("abort", () => reject(new Error("aborted")))
      })
    },
    ...options,
  })
  return { client, asked }
}

const get = { id: "svc" }
const outcomeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "answered",
    (e: unknown) => e,
  )

const input = { payment_intent: "pi_1", amount: { currency: "USD", value: 1 } } as const
const after = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000)

describe("the client", () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test("sends the key, and an Idempotency-Key with every POST", async () => {
    const { asked, client } = speaking([answer(200)])
    await client.services.get(get.id)
    await client.refunds.create(input)
    await client.refunds.create(input, { idempotencyKey: "mine" })
    const keys = asked.map(({ headers }) => headers.get("Idempotency-Key"))
    expect(asked[0]?.headers.get("Authorization")).toBe("Bearer key-1")
    expect(asked[0]?.headers.get("Prefer")).toBe("handling=strict")
    expect(keys).toEqual([null, expect.stringMatching(/^[0-9a-f-]{36}$/), "mine"])
  })

  const refusals = [
    ["a refusal", [busy(403, "FORBIDDEN")], false],
    ["too many requests", [busy(429, "RATE_LIMIT_EXCEEDED", 1)], false],
    ["a key that was used before", [busy(409, "IDEMPOTENCY_KEY_USED")], true],
    ["a request under way", [busy(409, "IDEMPOTENCY_KEY_IN_PROGRESS", 1)], true],
    ["an unknown outcome", [busy(503, "OUTCOME_UNKNOWN", 1)], true],
    ["a broken service", [busy(500, "INTERNAL_ERROR")], true],
    ["a proxy", [new Response("no", { status: 404 })], true],
    ["a refusal after a lost answer", ["broken", busy(403, "FORBIDDEN")], true],
    ["a refusal after an unknown outcome", [busy(503, "OUTCOME_UNKNOWN"), busy(409, "X")], true],
    ["a refusal after too many requests", [busy(429, "Y"), busy(403, "FORBIDDEN")], false],
  ] as const
  test.each(refusals)("says whether %s may hide that something was done", async (_, said, may) => {
    const outcome = outcomeOf(speaking(said).client.refunds.create(input))
    await after(60)
    expect(await outcome).toMatchObject({ name: "PayportError", may_have_acted: may })
  })

  test("writes ids and queries as URLs have them", async () => {
    const { asked, client } = speaking([answer(200, { data: [], has_more: false })])
    await client.services.get("a/b?")
    await client.intents.list({ limit: 5, service_id: "x y" })
    expect(asked.map(({ url }) => url)).toEqual([
      "http://payport.test/v1/services/a%2Fb%3F",
      "http://payport.test/v1/payment-intents?limit=5&service_id=x+y",
    ])
    for (const id of ["", ".", ".."]) {
      expect(() => client.services.get(id)).toThrow("takes an id")
    }
  })

  test.each<[string, object]>([
    ["no key", { apiKey: undefined }],
    ["no scheme", { baseUrl: "localhost:4020" }],
    ["no URL", { baseUrl: "payport" }],
    ["no base URL", { baseUrl: undefined }],
  ])("says at once what is wrong with %s", (_, options) => {
    const [name = ""] = Object.keys(options)
    expect(() => speaking([], options)).toThrow(new RegExp(`^${name} has to be`))
  })

  test("tells of keys that no header takes without showing them, and asks nothing", async () => {
    const secret = "sk_test_1\nsk_test_2"
    expect(() => speaking([], { apiKey: secret })).toThrow(/^apiKey has to be[^_]*$/)
    const { asked, client } = speaking([answer(200)], { apiKey: "key-1\n" })
    const told = await outcomeOf(client.refunds.create(input, { idempotencyKey: "größe" }))
    expect(told).toMatchObject({ message: expect.stringMatching(/idempotencyKey has to be/) })
    expect(asked).toHaveLength(0)
    await client.services.get(get.id)
    expect(asked[0]?.headers.get("Authorization")).toBe("Bearer key-1")
  })

  test("gives up a list whose pages do not go on", async () => {
    const { asked, client } = speaking([answer(200, { data: [{ id: "pi_1" }], has_more: true })])
    const seen: Array<string> = []
    const reading = async () => {
      for await (const { id } of client.intents.list()) seen.push(id)
    }
    expect(await outcomeOf(reading())).toMatchObject({ code: "UNEXPECTED_ANSWER" })
    expect([seen, asked.length]).toEqual([["pi_1", "pi_1"], 2])
  })

  test("comes back after 503 at 1, 2 and 4 seconds and a little more, then gives up", async () => {
    const { asked, client } = speaking([busy(503, "TEMPORARILY_UNAVAILABLE")])
    const outcome = outcomeOf(client.refunds.create(input))
    const counts: Array<number> = []
    for (const seconds of [0, 0.99, 0.27, 1.73, 0.77, 3.23, 1.77]) {
      await after(seconds)
      counts.push(asked.length)
    }
    expect(counts).toEqual([1, 1, 2, 2, 3, 3, 4])
    expect(await outcome).toMatchObject({ code: "TEMPORARILY_UNAVAILABLE", status: 503 })
    expect(new Set(asked.map(({ headers }) => headers.get("idempotency-key"))).size).toBe(1)
  })

  test("waits as long as Retry-After says, also while its first attempt still runs", async () => {
    const limited = speaking([busy(429, "RATE_LIMIT_EXCEEDED", 30), answer(200)])
    const later = outcomeOf(limited.client.services.get(get.id))
    await after(29)
    expect(limited.asked).toHaveLength(1)
    await after(9)
    expect(await later).toBe("answered")
    const weeks = speaking([busy(503, "OVERLOADED", 5_000_000), answer(200)])
    void outcomeOf(weeks.client.services.get(get.id, { maxRetryAfter: Infinity }))
    await after(3_600)
    expect(weeks.asked).toHaveLength(1)
    const running = speaking([busy(409, "IDEMPOTENCY_KEY_IN_PROGRESS", 1), answer(201)])
    const second = outcomeOf(running.client.refunds.create(input))
    await after(2)
    expect(await second).toBe("answered")
  })

  test.each([
    ["a minute", 60, {}, {}, 2],
    ["more than a minute", 61, {}, {}, 1],
    ["an hour, which the client allows", 3_600, { maxRetryAfter: 3_600_000 }, {}, 2],
    ["an hour, which the call allows", 3_600, {}, { maxRetryAfter: 3_600_000 }, 2],
    ["a second, where none is allowed", 1, { maxRetryAfter: 0 }, {}, 1],
  ])("is asked to wait %s: says so at once, or waits", async (_, wait, client, call, requests) => {
    const limited = speaking([busy(429, "OTP_RATE_LIMITED", wait), answer(200)], client)
    const later = outcomeOf(limited.client.refunds.create(input, call))
    await after(0)
    const isRefused = requests === 1
    if (isRefused) {
      const refusal = { name: "PayportError", status: 429, retry_after: wait }
      expect(await later).toMatchObject({ ...refusal, may_have_acted: false })
    }
    await after(wait * 1.25)
    if (!isRefused) expect(await later).toBe("answered")
    expect(limited.asked).toHaveLength(requests)
  })

  test.each([502, 504])("repeats after a proxy's %i what may be repeated", async (status) => {
    const page = new Response("<html>Bad gateway</html>", { status })
    const first = speaking([page, answer(200)])
    const created = outcomeOf(first.client.refunds.create(input))
    await after(2)
    expect(await created).toBe("answered")
    expect(new Set(first.asked.map(({ headers }) => headers.get("idempotency-key"))).size).toBe(1)
    const refused = speaking([page, busy(409, "REFUND_LIMIT_EXCEEDED")])
    const later = outcomeOf(refused.client.refunds.create(input))
    await after(2)
    expect(await later).toMatchObject({ code: "REFUND_LIMIT_EXCEEDED", may_have_acted: true })
    for (const [said, call] of [
      [page, "services"],
      [busy(status, "CHANNEL_ERROR"), "refunds"],
    ] as const) {
      const { asked, client } = speaking([said, answer(200)])
      const once = call === "services" ? client.services.pause("svc") : client.refunds.create(input)
      expect(await outcomeOf(once)).toMatchObject({ status })
      expect(asked).toHaveLength(1)
    }
  })

  test("repeats what did not arrive in time, and knows of no earlier answer by it", async () => {
    const late = busy(408, "INVALID_REQUEST")
    const { asked, client } = speaking([late, answer(201)])
    const created = outcomeOf(client.refunds.create(input))
    await after(2)
    expect(await created).toBe("answered")
    expect(new Set(asked.map(({ headers }) => headers.get("idempotency-key"))).size).toBe(1)
    for (const [said, may] of [
      [[late], false],
      [["broken", late], true],
    ] as const) {
      const outcome = outcomeOf(speaking(said).client.refunds.create(input))
      await after(60)
      expect(await outcome).toMatchObject({ status: 408, may_have_acted: may })
    }
  })

  test("waits until the date of a Retry-After", async () => {
    const date = new Date(Date.now() + 30_000).toUTCString()
    const page = new Response("<html>", { status: 503, headers: { "Retry-After": date } })
    const { asked, client } = speaking([page, answer(200)])
    const later = outcomeOf(client.services.get("svc"))
    await after(28)
    expect(asked).toHaveLength(1)
    await after(10)
    expect(await later).toBe("answered")
  })

  test.each([
    ["another origin", "https://pay.example/v1/services?secret=1", "to https://pay.example,"],
    ["a path", "/login?secret=1", "to its own /login, which is not followed. Check the path of"],
    ["nowhere", undefined, "elsewhere,"],
  ])("says that the address redirects to %s, and does not follow", async (_, to, where) => {
    const headers = to === undefined ? {} : { Location: to }
    const { asked, client } = speaking([new Response(null, { status: 308, headers })])
    const outcome = await outcomeOf(client.refunds.create(input))
    expect(outcome).toMatchObject({ code: "UNEXPECTED_ANSWER", status: 308, may_have_acted: true })
    expect(String(outcome)).toContain(where)
    expect(String(outcome)).not.toContain("secret")
    expect(asked).toHaveLength(1)
  })

  test.each([
    ["an answer", 200, "application/json", "The response is over 64 MiB long."],
    ["a refusal", 502, "text/html", "The service answered 502."],
    ["a page", 200, "text/html", 'The response has "text/html" instead of application/json.'],
  ])("reads a part alone of %s that is too long, and ends it", async (_, status, type, message) => {
    let isCancelled = false
    let left = 80
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(new Uint8Array(1024 * 1024))
        left -= 1
        if (left === 0) controller.close()
      },
      cancel: () => void (isCancelled = true),
    })
    const { client } = speaking([], {
      retries: 0,
      fetch: async () => new Response(body, { status, headers: { "Content-Type": type } }),
    })
    expect(await outcomeOf(client.services.get("svc"))).toMatchObject({
      code: "UNEXPECTED_ANSWER",
      status,
      message,
      may_have_acted: true,
    })
    expect(isCancelled).toBe(true)
  })

  test("takes options that are undefined as none", async () => {
    const none: { readonly key: undefined } = { key: undefined }
    const { asked, client } = speaking([answer(200)], { rotate: none.key, timeout: none.key })
    await client.refunds.create(input, {
      signal: none.key,
      timeout: none.key,
      retries: none.key,
      maxRetryAfter: none.key,
      idempotencyKey: none.key,
    })
    expect(asked[0]?.headers.get("Idempotency-Key")).toMatch(/^[0-9a-f-]{36}$/)
  })

  test("says why there was no response", async () => {
    const cause = new Error("connect ECONNREFUSED 127.0.0.1:4020")
    const both = Object.assign(new AggregateError([cause], ""), { code: "ECONNREFUSED" })
    for (const one of [cause, both]) {
      const { client } = speaking([], {
        retries: 0,
        fetch: () => Promise.reject(new TypeError("fetch failed", { cause: one })),
      })
      const said = /^ConnectionFailed: No response from http:\/\/payport.test: .*ECONNREFUSED/
      expect(String(await outcomeOf(client.services.get("svc")))).toMatch(said)
    }
  })

  test("repeats after broken connections what may be repeated, and nothing else", async () => {
    const first = speaking(["broken", answer(200)])
    const created = outcomeOf(first.client.refunds.create(input))
    await after(2)
    expect(await created).toBe("answered")
    const second = speaking(["broken", answer(200)])
    expect(await outcomeOf(second.client.services.pause("svc"))).toMatchObject({
      name: "ConnectionFailed",
      code: "CONNECTION_FAILED",
      cause: { message: "fetch failed" },
    })
    expect(second.asked).toHaveLength(1)
    const never = speaking(["broken"], { retries: 0 })
    expect(await outcomeOf(never.client.services.get("svc"))).toBeInstanceOf(ConnectionFailed)
    expect(never.asked).toHaveLength(1)
  })

  test("takes a deletion for done if a repetition finds nothing left to delete", async () => {
    const gone = () => answer(404, { error: "not_found", code: "NOT_FOUND", message: "None." })
    for (const lost of ["broken", busy(503, "TEMPORARILY_UNAVAILABLE")] as const) {
      const { asked, client } = speaking([lost, gone()])
      const deleting = outcomeOf(client.webhooks.deleteEndpoint("we_1"))
      const removed = client.installs.delete("ins_1").catch((error: unknown) => error)
      await after(2)
      expect(await deleting).toBe("answered")
      expect(asked.map(({ url }) => url.split("/").at(-1))).toContain("we_1")
      // Nothing of this one was lost: its first attempt found nothing.
      expect(await removed).toMatchObject({ code: "NOT_FOUND", may_have_acted: false })
    }
    const { client } = speaking(["broken", gone()])
    const shown = client.webhooks.deleteEndpoint("we_2")
    await after(2)
    expect(await shown).toEqual({ id: "we_2", deleted: true })
    // The id of this one is not in its path. The refusal names it.
    const nameless = { error: "not_found", code: "NOT_FOUND", message: "None." }
    const named = { ...nameless, details: { id: "ins_2" } }
    for (const [refusal, done] of [
      [named, { id: "ins_2", deleted: true }],
      [nameless, { code: "NOT_FOUND", may_have_acted: true }],
    ] as const) {
      const service = speaking(["broken", answer(404, refusal)]).client
      const uninstalled = service.installs.uninstall("svc_1").catch((error: unknown) => error)
      await after(2)
      expect(await uninstalled).toMatchObject(done)
    }
    // What only reads is not deleted, and a view of the record is not made up.
    const others = speaking(["broken", gone()]).client
    const read = outcomeOf(others.webhooks.getEndpoint("we_3"))
    await after(2)
    expect(await read).toMatchObject({ code: "NOT_FOUND", may_have_acted: true })
  })

  test("refuses options that are no numbers, with which it would never end", async () => {
    const wrong = "retries has to be a number from 0, not NaN."
    expect(() => speaking([], { retries: Number.NaN })).toThrow(new TypeError(wrong))
    const { asked, client } = speaking(["broken"])
    for (const options of [
      { retries: Number.NaN },
      { timeout: -1 },
      { maxRetryAfter: Number.NaN },
    ]) {
      await expect(client.services.get("svc", options)).rejects.toBeInstanceOf(TypeError)
    }
    expect(asked).toEqual([])
  })

  test("waits for an answer as long as it is told, and gives up when it is told", async () => {
    const silent = speaking(["silent"])
    const late = outcomeOf(silent.client.services.get("svc", { timeout: 5_000, retries: 0 }))
    await after(5)
    expect(await late).toMatchObject({ name: "ConnectionFailed", code: "TIMED_OUT" })
    const stopping = new AbortController()
    const given = outcomeOf(silent.client.services.get("svc", { signal: stopping.signal }))
    stopping.abort(new Error("enough"))
    expect(await given).toMatchObject({ message: "enough" })
    const waiting = speaking([busy(503, "OVERLOADED", 60)])
    const ending = new AbortController()
    const ended = outcomeOf(waiting.client.services.get("svc", { signal: ending.signal }))
    await after(1)
    ending.abort(new Error("enough"))
    expect(await ended).toMatchObject({ message: "enough" })
    expect(waiting.asked).toHaveLength(1)
  })

  test("does not repeat what would be refused again", async () => {
    const details = [{ field: "name", reason: "is required" }]
    const body = {
      error: "validation_error",
      code: "MISSING_REQUIRED_FIELD",
      message: "The field name is required.",
      field: "name",
      details,
    }
    const { asked, client } = speaking([answer(422, body, { "x-request-id": "req_1" })])
    expect(await outcomeOf(client.refunds.create(input))).toMatchObject({
      name: "PayportError",
      status: 422,
      code: "MISSING_REQUIRED_FIELD",
      category: "validation_error",
      field: "name",
      details,
      request_id: "req_1",
    })
    expect(asked).toHaveLength(1)
  })

  test("reads the nested shape of errors, and answers that are none of the service", async () => {
    const error = { code: "REFUND_LIMIT_EXCEEDED", message: "No more.", details: { left: 0 } }
    const nested = speaking([answer(409, { error })])
    expect(await outcomeOf(nested.client.refunds.get("r"))).toMatchObject({
      code: "REFUND_LIMIT_EXCEEDED",
      message: "No more.",
    })
    const proxy = speaking([new Response("<html>Not implemented</html>", { status: 501 })])
    expect(await outcomeOf(proxy.client.refunds.get("r"))).toMatchObject({
      status: 501,
      code: "UNEXPECTED_ANSWER",
    })
    const headers = { "Content-Type": "application/json" }
    const cut = speaking([new Response('{"id":', { headers })])
    expect(await outcomeOf(cut.client.refunds.get("r"))).toMatchObject({
      code: "UNEXPECTED_ANSWER",
    })
  })

  test.each([
    ["HTML", { "Content-Type": "text/html" }],
    ["text", { "Content-Type": "text/plain" }],
    ["no media type", undefined],
  ])("takes no answer of 200 in %s for the service's", async (_, headers) => {
    const page = new TextEncoder().encode("<html>Please sign in to the Wi-Fi</html>")
    const { client } = speaking([new Response(page, headers && { headers })])
    const told = { code: "UNEXPECTED_ANSWER", status: 200, may_have_acted: true }
    const watched = async () => {
      for await (const _state of client.intents.watch("pi_1")) break
    }
    for (const outcome of [
      client.refunds.create(input),
      client.services.get("svc"),
      client.services.qrSvg("svc"),
      client.services.qrPng("svc"),
      client.intents.list(),
      watched(),
    ]) {
      expect(await outcomeOf(outcome)).toMatchObject(told)
    }
  })

  test("returns text and pictures where a method asks for those", async () => {
    const typed = (body: string, type: string) =>
      speaking([new Response(body, { headers: { "Content-Type": type } })]).client
    expect(await typed("<svg/>", "image/svg+xml; charset=utf-8").services.qrSvg("svc")).toBe(
      "<svg/>",
    )
    expect(await typed("a", "image/png").services.qrPng("svc")).toEqual(new Uint8Array([97]))
  })

  test("gets another key after a 401, once", async () => {
    const denied = answer(401, { error: "a", code: "INVALID_API_KEY", message: "m" })
    const keys = ["key-2", "key-3"]
    const rotate = () => Promise.resolve(keys.shift() ?? "none")
    const first = speaking([denied, answer(200), answer(200)], { rotate })
    await first.client.services.get("svc")
    await first.client.services.get("svc")
    const sent = first.asked.map(({ headers }) => headers.get("authorization"))
    expect(sent).toEqual(["Bearer key-1", "Bearer key-2", "Bearer key-2"])
    const second = speaking([denied], { rotate })
    const refused = await outcomeOf(second.client.services.get("svc"))
    expect(refused).toMatchObject({ code: "INVALID_API_KEY" })
    expect(second.asked).toHaveLength(2)
  })

  test("says that the service may have acted if no key comes after a lost answer", async () => {
    const denied = answer(401, { error: "a", code: "INVALID_API_KEY", message: "m" })
    const rotate = () => Promise.reject(new Error("the vault is away"))
    for (const [said, may_have_acted] of [
      [["broken", denied], true],
      [[denied], false],
    ] as const) {
      const outcome = outcomeOf(speaking(said, { rotate }).client.refunds.create(input))
      await after(2)
      expect(await outcome).toMatchObject({ code: "INVALID_API_KEY", status: 401, may_have_acted })
    }
  })

  test("stops waiting for another key when its own signal aborts", async () => {
    const denied = answer(401, { error: "a", code: "INVALID_API_KEY", message: "m" })
    let give = (_key: string) => {}
    const rotate = () => new Promise<string>((resolve) => (give = resolve))
    const { client } = speaking([denied, denied, answer(200)], { rotate })
    const stop = new AbortController()
    const stopped = outcomeOf(client.services.get(get.id, { signal: stop.signal }))
    const waiting = outcomeOf(client.services.get(get.id))
    await after(1)
    const reason = new Error("enough")
    stop.abort(reason)
    expect(await stopped).toBe(reason)
    give("key-2")
    expect(await waiting).toBe("answered")
  })

  test("gives up a key that does not come in time, and asks for one again", async () => {
    const denied = () => answer(401, { error: "a", code: "INVALID_API_KEY", message: "m" })
    const keys = [new Promise<string>(() => {}), Promise.resolve("key-2")]
    const rotate = () => keys.shift() ?? Promise.reject(new Error("none"))
    const said = [denied(), denied(), answer(200)]
    const { client } = speaking(said, { rotate, timeout: 1_000 })
    const waiting = outcomeOf(client.services.get(get.id))
    await after(2)
    expect(await waiting).toMatchObject({
      code: "INVALID_API_KEY",
      message: expect.stringContaining("within 1000 ms"),
    })
    expect(await outcomeOf(client.services.get(get.id))).toBe("answered")
  })

  test("gets one other key for all requests that are refused together", async () => {
    const rotate = vi.fn(() => Promise.resolve("key-2"))
    const denied = () => answer(401, { error: "a", code: "INVALID_API_KEY", message: "m" })
    const fetch: ClientOptions["fetch"] = (_, { headers }) =>
      Promise.resolve(
        new Headers(headers).get("authorization") === "Bearer key-2" ? answer(200) : denied(),
      )
    const { client } = speaking([], { rotate, fetch })
    await Promise.all([1, 2, 3].map(() => client.services.get(get.id)))
    expect(rotate).toHaveBeenCalledTimes(1)
  })

  test.each([Infinity, 2 ** 31, 2 ** 31 - 1])("waits %d ms for an answer", async (timeout) => {
    const { client } = speaking(["silent"], { timeout, retries: 0 })
    const outcome = vi.fn()
    void outcomeOf(client.services.get(get.id)).then(outcome)
    await after(86_400)
    expect(outcome).not.toHaveBeenCalled()
  })
})

describe("the states of a payment", () => {
  const headers = { "Content-Type": "text/event-stream" }
  const event = (id: number, status: string) =>
    `id: ${id}\nevent: payment_intent\ndata: {"status":"${status}"}\n\n`

  /** A stream that ends after these events, or breaks. */
  const stream = (events: ReadonlyArray<string>, breaks = false) => {
    const left = [...events]
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const next = left.shift()
        if (next !== undefined) controller.enqueue(new TextEncoder().encode(next))
        else if (breaks) controller.error(new TypeError("terminated"))
        else controller.close()
      },
    })
    return new Response(body, { headers })
  }

  const watch = async (said: ReadonlyArray<Said>, options: Partial<ClientOptions> = {}) => {
    vi.useFakeTimers()
    const { asked, client } = speaking(said, options)
    const seen: Array<string> = []
    const watched = async () => {
      for await (const { status } of client.intents.watch("pi_1")) seen.push(status)
    }
    const outcome = watched().then(
      () => "the end",
      (error: unknown) => error,
    )
    await after(60)
    return { seen, outcome: await outcome, asked: asked.length }
  }

  afterEach(() => {
    vi.useRealTimers()
  })

  test("are read however they are cut", async () => {
    const parts = ['id: 1\nevent: payment_intent\ndata: {"sta', 'tus":"pending"}\n\n: beat\n', "\n"]
    const last = 'data: {"status":"expired"}\n\n'
    const { outcome, seen } = await watch([stream([...parts, last])])
    expect([outcome, seen]).toEqual(["the end", ["pending", "expired"]])
  })

  test.each([
    ["ends", false],
    ["breaks", true],
  ])("go on in another stream if one %s before the payment", async (_, breaks) => {
    const said = [
      stream([event(1, "pending"), event(2, "scanning")], breaks),
      "broken",
      stream([event(2, "scanning")], breaks),
      stream([], breaks),
      stream([event(2, "scanning"), event(3, "captured"), event(4, "succeeded")]),
    ] as const
    expect(await watch(said)).toEqual({
      seen: ["pending", "scanning", "captured", "succeeded"],
      outcome: "the end",
      asked: 5,
    })
  })

  test("reject where streams go on to end without any", async () => {
    const said = [stream([event(1, "pending")]), stream([], true)]
    const { asked, outcome, seen } = await watch(said, { retries: 2 })
    expect(outcome).toBeInstanceOf(ConnectionFailed)
    expect(outcome).toMatchObject({ cause: new TypeError("terminated") })
    expect({ asked, seen }).toEqual({ asked: 4, seen: ["pending"] })
    const none = await watch([stream([])], { retries: 2 })
    expect(none.outcome).toBeInstanceOf(ConnectionFailed)
    expect(none.asked).toBe(3)
  })

  test("survive as many streams without any as there are retries", async () => {
    const said = [
      stream([event(1, "pending")]),
      stream([]),
      stream([event(2, "scanning")]),
      stream([]),
      stream([event(3, "succeeded")]),
    ]
    const { outcome, seen } = await watch(said, { retries: 1 })
    expect([outcome, seen]).toEqual(["the end", ["pending", "scanning", "succeeded"]])
  })

  test("reject where a stream is refused once its key is revoked", async () => {
    const refused = answer(401, { error: "a", code: "INVALID_API_KEY", message: "m" })
    const { outcome } = await watch([stream([event(1, "pending")]), refused])
    expect(outcome).toMatchObject({ code: "INVALID_API_KEY" })
  })

  test.each(["{", "null", "[]", "1"])("reject where an event is %s", async (data) => {
    const { asked, outcome } = await watch([stream([`data: ${data}\n\n`])])
    expect(outcome).toMatchObject({ code: "UNEXPECTED_ANSWER" })
    expect(asked).toBe(1)
  })

  test("end where the core says that a payment has ended", () => {
    const ended = SHOWN_STATUSES.filter((status) => hasEnded({ status } as PaymentIntent))
    expect(LAST_STATUSES).toEqual(new Set(ended))
  })
})
