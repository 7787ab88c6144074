import { expect, test } from "vitest"
import { BudgetTracker } from "../../../../adapters/http/client/BudgetTracker.ts"
import { chargeOnce } from "../../../../adapters/http/client/chargeOnce.ts"
import { makeClient } from "../../../../adapters/http/client/client.ts"
import { isJudged, PayportError } from "../../../../adapters/http/client/PayportError.ts"

const amount = { currency: "USD", value: 100 }
const input = { service_id: "svc", type: "one_time", amount, description: "One" } as const

type Said = "lost" | "made" | readonly [status: number, code: string, retryAfter?: number]

const answerOf = (said: Said): Promise<Response> => {
  if (said === "lost") return Promise.reject(new TypeError("socket hang up"))
  if (said === "made") return Promise.resolve(Response.json({ id: "pi_1" }, { status: 201 }))
  const [status, code, retryAfter] = said
  const body = { error: "refused", code, message: code }
  const headers = retryAfter && { "Retry-After": String(retryAfter) }
  return Promise.resolve(Response.json(body, { status, ...(headers && { headers }) }))
}

test("a budget whose most payments are no number is refused, since it would have no limit", () => {
  const budget = { currency: "USD", perCall: 100, total: 1_000 }
  for (const mostPayments of [Number.NaN, -1]) {
    expect(() => new BudgetTracker({ ...budget, mostPayments })).toThrow(TypeError)
  }
  expect(() => new BudgetTracker({ ...budget, mostPayments: Infinity })).not.toThrow()
})

/** Charges once per answer, and returns the keys that were sent, by letters, and what is spent. */
const charged = async (script: ReadonlyArray<Said>) => {
  const keys: Array<string | null> = []
  const left = [...script]
  const { intents } = makeClient({
    baseUrl: "http://payport.test",
    apiKey: "k",
    retries: 0,
    rotate: () => Promise.reject(new Error("the vault is away")),
    fetch: (_, init) => {
      keys.push(new Headers(init.headers).get("Idempotency-Key"))
      return answerOf(left.shift() ?? "made")
    },
  })
  const tracker = new BudgetTracker({ currency: "USD", perCall: 100, total: 1_000 })
  const charge = chargeOnce(tracker)
  for (const _ of script) {
    await charge("invoice 7", amount, (options) => intents.create(input, options)).catch(() => {})
  }
  const names = [...new Set(keys)]
  return [keys.map((key) => "abc"[names.indexOf(key)]).join(""), tracker.spent.value]
}

test.each<[ReadonlyArray<Said>, string, number]>([
  [["made", "made"], "ab", 200],
  [["lost", "made"], "aa", 100],
  [["lost", "lost", "made", "made"], "aaab", 200],
  [[[403, "INSUFFICIENT_KYC"], "made"], "ab", 100],
  [[[403, "ACCOUNT_SUSPENDED"], "made"], "ab", 100],
  [["lost", [403, "ACCOUNT_SUSPENDED"], "made"], "aaa", 100],
  [["lost", [403, "FORBIDDEN"], "made"], "aaa", 100],
  [["lost", [401, "INVALID_API_KEY"], "made"], "aaa", 100],
  [["lost", [401, "UNAUTHORIZED"], "made"], "aaa", 100],
  [["lost", [429, "RATE_LIMIT_EXCEEDED", 1], "made"], "aaa", 100],
  [["lost", [409, "IDEMPOTENCY_KEY_USED"], "made"], "aaa", 100],
  [["lost", [409, "PAYMENT_UNRESOLVED"], "made"], "aaa", 100],
  [["lost", [503, "OVERLOADED", 1], "made"], "aaa", 100],
  [["lost", [408, "INVALID_REQUEST"], "made"], "aaa", 100],
  [["lost", [400, "INVALID_REQUEST"], "made"], "aaa", 100],
  [["lost", [431, "INVALID_REQUEST"], "made"], "aaa", 100],
  // What the service says of the charge itself ends it, and leaves what it may have cost.
  [["lost", [409, "SERVICE_NOT_ACTIVE"], "made"], "aab", 200],
  [["lost", [400, "INVALID_AMOUNT"], "made"], "aab", 200],
  [["lost", [422, "INVALID_REQUEST"], "made"], "aab", 200],
])("charges that are answered %j are sent under the keys %s and cost %i", async (script, ...said) =>
  expect(await charged(script)).toEqual(said),
)

test("a refusal that is none of the service's ends no charge", async () => {
  const { intents } = makeClient({
    baseUrl: "http://payport.test",
    apiKey: "k",
    fetch: () => Promise.resolve(new Response("<html>Not here</html>", { status: 404 })),
  })
  const tracker = new BudgetTracker({ currency: "USD", perCall: 100, total: 1_000 })
  const charge = chargeOnce(tracker)
  const keys = new Set<string | undefined>()
  for (let n = 0; n < 2; n += 1) {
    const one = charge("one", amount, (options) => {
      keys.add(options.idempotencyKey)
      return intents.create(input, options)
    })
    await expect(one).rejects.toMatchObject({ code: "UNEXPECTED_ANSWER", may_have_acted: true })
  }
  expect([keys.size, tracker.spent.value]).toEqual([1, 100])
})

const BROKEN = [
  "",
  "[]",
  '{"code":"SERVICE_NOT_ACTIVE"}',
  '{"code":"CONFLICT","message":"The origin is locked."}',
  '{"error":"conflict","code":"SERVICE_NOT_ACTIVE"}',
  '{"error":{"code":"REFUND_NOT_ALLOWED"}}',
  '{"error":"conflict","code":"SERVICE_NOT_',
]

test.each(BROKEN)("a 409 of %j is no judgement of a charge", async (body) => {
  const { intents } = makeClient({
    baseUrl: "http://payport.test",
    apiKey: "k",
    fetch: () => Promise.resolve(new Response(body, { status: 409 })),
  })
  const error = await intents.create(input).catch((refusal: unknown) => refusal)
  expect(error).toMatchObject({ status: 409, code: "UNEXPECTED_ANSWER", may_have_acted: true })
  expect(error instanceof PayportError && isJudged(error)).toBe(false)
})

test.each([
  '{"error":"conflict","code":"SERVICE_NOT_ACTIVE","message":"It is paused."}',
  '{"error":{"code":"REFUND_NOT_ALLOWED","message":"It is over."}}',
])("a 409 of %j is one", async (body) => {
  const { intents } = makeClient({
    baseUrl: "http://payport.test",
    apiKey: "k",
    fetch: () => Promise.resolve(new Response(body, { status: 409 })),
  })
  const error = await intents.create(input).catch((refusal: unknown) => refusal)
  expect(error instanceof PayportError && isJudged(error)).toBe(true)
})
