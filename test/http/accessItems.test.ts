import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { activeService, type App, startApp } from "../support/app.ts"
import { unnested } from "../support/documented.ts"

let app: App
let service: string
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  service = await activeService(app)
})
afterAll(() => app.stop())

const paid = async (): Promise<string> => {
  const body = {
    service_id: service,
    type: "one_time",
    amount: { currency: "USD", value: 699 },
    description: "A report",
  }
  const made = await app.call("POST", "/v1/payment-intents", { key: app.buyer.api_key.key, body })
  const id = String(made.json["id"])
  const simulate = `/v1/sandbox/payment-intents/${id}/simulate`
  await app.call("POST", simulate, { body: { action: "authorize" } })
  await app.call("POST", `/v1/payment-intents/${id}/capture`)
  return id
}

const register = (body: object, said: Parameters<App["call"]>[2] = {}) =>
  app.call("POST", "/v1/access-items", { body, ...said })

const ask = (body: object, said: Parameters<App["call"]>[2] = {}) =>
  app.call("POST", "/v1/access-items/introspect", { body, ...said })

describe("what a payment bought", () => {
  test("is registered by the payee, told to its gate and to no other", async () => {
    const payment_intent = await paid()
    const item = { type: "access_token", id: "tok_1" }
    const made = await register({ payment_intent, ...item, scopes: ["read:full"] })
    const state = { active: true, scopes: ["read:full"], revoked_scopes: [] }
    expect([made.status, made.json]).toEqual([201, { ...item, payment_intent, ...state }])
    expect((await ask(item)).json).toEqual(state)
    expect((await ask({ ...item, scope: "read:detail" })).json["active"]).toBe(true)
    expect((await ask({ ...item, scope: "all" })).json["active"]).toBe(false)
    const nothing = { active: false, scopes: [], revoked_scopes: [] }
    expect((await ask(item, { key: app.buyer.api_key.key })).json).toEqual(nothing)
    expect((await ask({ ...item, type: "session" })).json).toEqual(nothing)
    expect((await ask({ ...item, id: "tok_2" })).json).toEqual(nothing)
  })

  test("allows all where no scopes are said, and is replaced by the same identifier", async () => {
    const payment_intent = await paid()
    const item = { payment_intent, type: "session", id: "s'; DROP TABLE --" }
    expect((await register(item)).json["scopes"]).toEqual(["all"])
    const again = await register({ ...item, scopes: ["read:reports"] })
    expect(again.json["scopes"]).toEqual(["read:reports"])
  })

  test("answers a repeated key the same, and keeps no key of a question", async () => {
    const payment_intent = await paid()
    const headers = { "idempotency-key": "register-once" }
    const item = { type: "license_key", id: "k1" }
    const first = await register({ payment_intent, ...item }, { headers })
    const second = await register({ payment_intent, ...item }, { headers })
    expect(second.text).toBe(first.text)
    expect(second.headers.get("idempotent-replayed")).toBe("true")
    const question = { headers: { "idempotency-key": "ask-once" } }
    const unknown = { type: "license_key", id: "k2" }
    expect((await ask(unknown, question)).json["active"]).toBe(false)
    await register({ payment_intent, ...unknown })
    const anew = await ask(unknown, question)
    expect(anew.json["active"]).toBe(true)
    expect(anew.headers.get("idempotency-key")).toBeNull()
  })

  test("is nothing before it is paid, and nobody's but the payee's to register", async () => {
    const item = { payment_intent: await paid(), type: "session", id: "s1" }
    const denied = await register(item, { key: app.buyer.api_key.key })
    expect([denied.status, unnested(denied.json)["code"]]).toEqual([403, "FORBIDDEN"])
    expect(denied.json["error"]).toMatchObject({ code: "FORBIDDEN" })
  })

  test("is at most 100 items; one that moves to another payment makes room", async () => {
    const payment_intent = await paid()
    const item = (n: number) => ({ payment_intent, type: "session", id: `many_${n}` })
    for (let n = 0; n < 100; n += 1) expect((await register(item(n))).status).toBe(201)
    const refused = await register(item(100))
    expect([refused.status, unnested(refused.json)["code"]]).toEqual([
      422,
      "revocation_limit_exceeded",
    ])
    expect((await register({ ...item(7), scopes: ["read:summary"] })).status).toBe(201)
    expect((await register({ ...item(8), payment_intent: await paid() })).status).toBe(201)
    expect((await register(item(100))).status).toBe(201)
    expect((await register(item(101))).status).toBe(422)
  })

  test.each([
    ["an unknown type", { type: "password" }, "revocation_target_invalid_type"],
    ["a scope of another type", { scopes: ["write:x"] }, "revocation_scope_invalid"],
    ["scopes that are none", { scopes: ["everything"] }, "revocation_scope_invalid"],
    ["an empty list", { scopes: [] }, "INVALID_REQUEST"],
    ["a scope twice", { scopes: ["all", "all"] }, "INVALID_REQUEST"],
    ["33 scopes", { scopes: Array.from({ length: 33 }, (_, n) => `a:${n}`) }, "INVALID_REQUEST"],
    ["a control character", { id: "a\u0007b" }, "INVALID_REQUEST"],
    ["an invisible character", { id: "a\u200bb" }, "INVALID_REQUEST"],
    ["a long identifier", { id: "x".repeat(2_049) }, "INVALID_REQUEST"],
    ["no identifier", { id: " " }, "MISSING_REQUIRED_FIELD"],
  ])("refuses %s", async (_, said, code) => {
    const payment_intent = await paid()
    const reply = await register({ payment_intent, type: "signed_url", id: "https://a/1", ...said })
    expect([reply.status, unnested(reply.json)["code"]]).toEqual([422, code])
  })
})
