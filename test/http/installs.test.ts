import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { activeService, ADMIN_KEY, type App, startApp } from "../support/app.ts"
import { documentOf, undocumented } from "../support/documented.ts"

let app: App
let shop: string
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  const body = { plan: "pro" }
  await app.call("PATCH", `/v1/accounts/${app.seller.id}`, { key: ADMIN_KEY, body })
  shop = await activeService(app, { fallback_channel: "wallet_b" })
})
afterAll(() => app.stop())

const usd = (value: number) => ({ currency: "USD", value })

const send = async (
  method: string,
  path: string,
  said: Parameters<App["call"]>[2] = {},
  as: "buyer" | "seller" = "buyer",
) => {
  const reply = await app.call(method, path, { key: app[as].api_key.key, ...said })
  if (reply.status >= 400) {
    expect(undocumented(await documentOf(app), method, path, reply)).toBeUndefined()
  }
  return reply
}

const install = (body: object) => send("POST", `/v1/services/${shop}/installs`, { body })

const payment = (value: number, said: object = {}) => ({
  service_id: shop,
  amount: usd(value),
  description: "A report",
  payer: { agent_id: "agent-of-the-buyer" },
  ...said,
})

const pay = (value: number, said: object = {}, headers: { readonly [name: string]: string } = {}) =>
  send("POST", "/v1/payments/one-time", { body: payment(value, said), headers })

const faults = (body: object, channel = "wallet_a") =>
  app.call("PUT", `/v1/sandbox/channels/${channel}/faults`, { body })

const advance = (seconds: number) =>
  app.call("POST", "/v1/sandbox/clock/advance", { body: { seconds } })

const look = async (id: unknown) => (await send("GET", `/v1/payment-intents/${String(id)}`)).json

describe("installs over HTTP", () => {
  test("are made, changed, listed, read and removed by their buyer", async () => {
    const made = await install({ auto_pay_limit: usd(500), channels: ["wallet_a"] })
    expect(made.status).toBe(201)
    expect(made.json).toMatchObject({
      service_id: shop,
      agent_id: "agent-of-the-buyer",
      auto_pay_limit: usd(500),
      spend_cap: null,
      budget_alerts: [],
      mandate: { status: "active", channel: "wallet_a" },
    })
    const changed = await install({ budget_alerts: [80, 50], spend_cap: cap(10_000) })
    expect(changed.json).toMatchObject({ id: made.json["id"], budget_alerts: [50, 80] })
    const id = String(made.json["id"])
    expect((await send("GET", `/v1/installs/${id}`)).json).toEqual(changed.json)
    for (const list of [`/v1/services/${shop}/installs`, `/v1/installs?service_id=${shop}`]) {
      const { json } = await send("GET", list)
      expect(json).toEqual({ data: [changed.json], has_more: false })
    }
    expect((await send("GET", `/v1/installs/${id}`, {}, "seller")).status).toBe(404)
    expect((await send("GET", "/v1/installs", {}, "seller")).json["data"]).toEqual([])
    expect((await install({ auto_pay_limit: null })).json).toMatchObject({ mandate: null })
    expect((await send("DELETE", `/v1/installs/${id}`)).json).toEqual({ id, deleted: true })
    expect((await send("DELETE", `/v1/services/${shop}/installs`)).status).toBe(404)
  })

  const cap = (value: number) => ({ amount: usd(value), period: "monthly" })

  test.each([
    ["a limit of nothing", { auto_pay_limit: usd(0) }, 400, "INVALID_AMOUNT"],
    ["a limit in no currency", { auto_pay_limit: { value: 1 } }, 400, "INVALID_AMOUNT"],
    ["a limit that is a word", { auto_pay_limit: "5 USD" }, 400, "INVALID_AMOUNT"],
    [
      "a limit in an unknown currency",
      { auto_pay_limit: { currency: "XYZ", value: 1 } },
      400,
      "INVALID_AMOUNT",
    ],
    ["a cap of half a cent", { spend_cap: cap(0.5) }, 400, "INVALID_AMOUNT"],
    ["a cap without a period", { spend_cap: { amount: usd(1) } }, 422, "INVALID_REQUEST"],
    ["a yearly cap", { spend_cap: { amount: usd(1), period: "yearly" } }, 422, "INVALID_REQUEST"],
    ["an alert at nothing", { spend_cap: cap(1), budget_alerts: [0] }, 422, "INVALID_REQUEST"],
    [
      "an alert beyond the cap",
      { spend_cap: cap(1), budget_alerts: [101] },
      422,
      "INVALID_REQUEST",
    ],
    ["an alert twice", { spend_cap: cap(1), budget_alerts: [5, 5] }, 422, "INVALID_REQUEST"],
    ["alerts without a cap", { budget_alerts: [50] }, 422, "INVALID_REQUEST"],
    ["a channel that nobody has", { channels: ["wallet_z"] }, 422, "UNSUPPORTED_CHANNEL"],
    ["a channel twice", { channels: ["wallet_a", "wallet_a"] }, 422, "INVALID_REQUEST"],
    [
      "a preference that is not accepted",
      { channel_preference: "wallet_c" },
      422,
      "UNSUPPORTED_CHANNEL",
    ],
    ["an agent without a name", { agent_id: " " }, 422, "INVALID_REQUEST"],
  ])("refuse %s", async (_why, body, status, code) => {
    const reply = await install(body)
    expect([reply.status, reply.json["code"]]).toEqual([status, code])
    const { data } = (await send("GET", "/v1/installs")).json as { readonly data: unknown }
    expect(data).toEqual([])
  })

  test("are not for sellers, nor of services that are not there", async () => {
    const path = `/v1/services/${shop}/installs`
    expect((await send("POST", path, { body: {} }, "seller")).status).toBe(403)
    expect((await send("POST", "/v1/services/none/installs", { body: {} })).status).toBe(404)
  })
})

describe("auto-pay over HTTP", () => {
  beforeAll(() => install({ auto_pay_limit: usd(500), channel_preference: "wallet_a" }))

  test("completes a payment at the limit at once, and once under its key", async () => {
    const headers = { "Idempotency-Key": "auto-1" }
    const paid = await pay(500, {}, headers)
    expect([paid.status, paid.json["status"], paid.json["auto_paid"]]).toEqual([
      201,
      "completed",
      true,
    ])
    expect(paid.json).toHaveProperty("succeeded_at")
    expect(paid.json).not.toHaveProperty("deeplink")
    const again = await pay(500, {}, headers)
    expect(again.text).toBe(paid.text)
    expect(again.headers.get("Idempotent-Replayed")).toBe("true")
    const attempt = { body: payment(500, { kyc_level: "basic" }) }
    expect((await send("POST", "/v1/payments", attempt)).json).toMatchObject({ auto_paid: true })
  })

  test.each([
    ["one unit above it", 501, {}],
    ["another currency", 500, { amount: { currency: "EUR", value: 500 } }],
    ["another channel", 500, { channel: "wallet_b" }],
    ["another agent of the buyer's", 500, { payer: { agent_id: "helper" } }],
  ])("asks the person for %s", async (_why, value, said) => {
    const reply = await pay(value, said)
    expect([reply.status, reply.json["status"]]).toEqual([201, "pending"])
    expect(reply.json).toHaveProperty("deeplink")
  })

  test("asks the person where the seller asks for the payment", async () => {
    const reply = await send("POST", "/v1/payments/one-time", { body: payment(500) }, "seller")
    expect(reply.json["status"]).toBe("pending")
  })

  test("does not go past what the payer's level allows", async () => {
    await install({ agent_id: "novice", auto_pay_limit: usd(5_000) })
    const payer = { agent_id: "novice" }
    expect((await pay(1_000, { payer })).json).toMatchObject({ auto_paid: true })
    const more = await pay(1_001, { payer })
    expect([more.status, more.json["code"]]).toEqual([403, "INSUFFICIENT_KYC"])
    await send("DELETE", `/v1/services/${shop}/installs?agent_id=novice`)
  })

  test("falls back to the link when the channel declines", async () => {
    await faults({ auto_pay_declines: true })
    const declined = await pay(500)
    expect(declined.json).toMatchObject({ status: "pending" })
    const id = String(declined.json["id"])
    await faults({ auto_pay_declines: false })
    const simulate = { body: { action: "pay" } }
    await send("POST", `/v1/sandbox/payment-intents/${id}/simulate`, simulate)
    expect(await look(id)).toMatchObject({ status: "completed", auto_paid: false })
  })

  test("charges once where the answer is lost, and finds out by asking", async () => {
    await faults({ timeout: true })
    const made = await pay(500, { metadata: { order: "lost" } })
    expect(made.json).toMatchObject({ status: "pending", channel_outcome: "unknown" })
    const second = await pay(500, { metadata: { order: "lost" } })
    expect([second.status, second.json["code"]]).toEqual([409, "IDEMPOTENCY_KEY_USED"])
    await faults({ timeout: false })
    await advance(30)
    expect(await look(made.json["id"])).toMatchObject({ status: "completed", auto_paid: true })
  })

  test("goes around a channel that is down", async () => {
    await faults({ down: true })
    expect((await pay(500)).json).toMatchObject({ status: "pending", channel: "wallet_b" })
    await faults({ down: false })
  })

  test("ends with the install", async () => {
    await send("DELETE", `/v1/services/${shop}/installs`)
    expect((await pay(500)).json).toMatchObject({ status: "pending" })
  })

  test("shows the refund of what was paid without asking", async () => {
    await install({ auto_pay_limit: usd(500), channel_preference: "wallet_a" })
    const { json } = await pay(500)
    const body = { payment_intent: json["id"] }
    const refund = await send("POST", "/v1/refunds", { body }, "seller")
    expect(refund.status).toBe(201)
    await advance(5)
    const id = String(refund.json["id"])
    expect((await send("GET", `/v1/refunds/${id}`, {}, "seller")).json["status"]).toBe("succeeded")
  })
})
