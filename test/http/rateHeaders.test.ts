import { Layer } from "effect"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as MemoryLeases from "../../adapters/memory/MemoryRateLeases.ts"
import * as MemoryStore from "../../adapters/memory/MemoryStore.ts"
import { PLAN_TERMS } from "../../core/billing/Plan.ts"
import { layer as requestLimits } from "../../core/billing/limitRequests.ts"
import { type App, type Reply, startApp } from "../support/app.ts"

let app: App
beforeAll(async () => {
  const limits = Layer.provide(requestLimits(PLAN_TERMS), MemoryLeases.layer)
  app = await startApp({ store: Layer.merge(MemoryStore.layer, limits) })
})
afterAll(() => app.stop())

const HEADERS = ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"]

const told = ({ headers }: Reply) => HEADERS.map((name) => headers.get(name))

const rpc = (method: string) => ({ jsonrpc: "2.0", id: 1, method })
const NO_SUCH = "/v1/payment-intents/pi_019b7726-0000-7000-8000-000000000001"

/** Whether the second of two requests has one fewer left, or is the first of the next minute. */
const isCounted = (before: Reply, after: Reply): boolean => {
  const [left = NaN, now = NaN] = [before, after].map((reply) => Number(told(reply)[1]))
  return now === left - 1 || now === 99
}

type Asked = readonly [why: string, method: string, path: string, number, body: object | null]

const ASKED: ReadonlyArray<Asked> = [
  ["what is there", "GET", "/v1/channels", 200, null],
  ["what is not there", "GET", NO_SUCH, 404, null],
  ["a route that there is not", "GET", "/v1/nothing", 404, null],
  ["a route of no such version", "POST", "/v2/payments", 404, { amount: 1 }],
  ["a name that nothing can have", "GET", "/v1/services/%00", 404, null],
  ["a method that a route does not take", "DELETE", "/v1/channels", 405, null],
  ["a method that a nested route does not take", "GET", "/v1/refunds/x/y", 404, null],
  ["a bad query", "GET", "/v1/services?limit=x", 400, null],
  ["a bad body", "POST", "/v1/services", 422, {}],
  ["what only operators may", "GET", "/v1/audit", 401, null],
  ["agents' tools", "POST", "/mcp", 200, rpc("tools/list")],
  ["an agent's greeting", "POST", "/mcp", 400, rpc("initialize")],
  ["what is no message", "POST", "/mcp", 400, []],
  ["a method that agents do not use", "PUT", "/mcp", 405, null],
  ["an agent's stream without a session", "GET", "/mcp", 405, null],
]

describe("RateLimit headers", () => {
  test.each(ASKED.filter(([, , path]) => path !== "/v1/audit"))(
    "tell who asks with a key for %s",
    async (_why, method, path, status, body) => {
      const said = body === null ? {} : { body }
      const before = await app.call("GET", "/v1/channels")
      const reply = await app.call(method, path, said)
      expect(reply.status).toBe(status)
      expect(told(reply)).toEqual(["100", expect.any(String), expect.stringMatching(/^\d+$/)])
      expect(isCounted(before, reply)).toBe(true)
    },
  )

  test.each(ASKED)(
    "tell strangers nothing of anybody's for %s",
    async (_why, method, path, _status, body) => {
      const guessed = `${app.seller.api_key.key.slice(0, -4)}aaaa`
      const before = await app.call("GET", "/v1/channels")
      for (const key of [null, guessed, "nonsense"]) {
        const reply = await app.call(method, path, { key, ...(body !== null && { body }) })
        expect(told(reply)).toEqual([null, null, null])
      }
      expect(isCounted(before, await app.call("GET", "/v1/channels"))).toBe(true)
    },
  )

  test("go with a refusal of what comes after the last request of a minute", async () => {
    const many = async (method: string, path: string, body?: object) => {
      const said = { key: app.buyer.api_key.key, ...(body !== undefined && { body }) }
      for (let n = 0; n < 250; n++) {
        const reply = await app.call(method, path, said)
        if (reply.status === 429) return reply
      }
      throw new Error(`250 of 100 requests of ${path} were served`)
    }
    const refused = [
      await many("GET", "/v1/nothing"),
      await many("PUT", "/v1/channels"),
      await many("POST", "/mcp", rpc("tools/list")),
    ]
    for (const reply of refused) {
      const [limit, remaining, reset] = told(reply)
      expect([limit, remaining]).toEqual(["100", "0"])
      expect(reply.headers.get("retry-after")).toBe(reset)
      expect(reply.text).toContain("RATE_LIMIT_EXCEEDED")
    }
    expect((await app.call("GET", "/v1/nothing", { key: null })).status).toBe(404)
    const list = { key: null, body: rpc("tools/list") }
    expect((await app.call("POST", "/mcp", list)).status).toBe(200)
  })
})
