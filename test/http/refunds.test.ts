import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { activeService, ADMIN_KEY, type App, type Reply, startApp } from "../support/app.ts"
import { documentOf, undocumented } from "../support/documented.ts"

let app: App
let document: Awaited<ReturnType<typeof documentOf>>
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  document = await documentOf(app)
})
afterAll(() => app.stop())

const usd = (value: number) => ({ currency: "USD", value })

/** Calls as the seller; the answer is held against the interface's own description. */
const call = async (
  method: string,
  path: string,
  said: Parameters<App["call"]>[2] = {},
): Promise<Reply> => {
  const reply = await app.call(method, path, said)
  if (reply.status >= 400) {
    expect(undocumented(document, method, path, reply)).toBeUndefined()
  }
  return reply
}

let shops = 0

/** A payment of 699 that a channel has taken. */
const paid = async (channel = "wallet_a", currency = "USD", settlement = currency) => {
  shops += 1
  const service = await activeService(app, {
    name: `Shop ${shops}`,
    accepted_channels: [channel],
    default_channel: channel,
    settlement_currency: settlement,
    pricing: { one_time: [{ amount: 699, currency, label: "One" }] },
  })
  const made = await app.call("POST", "/v1/payment-intents", {
    key: app.buyer.api_key.key,
    body: {
      service_id: service,
      type: "one_time",
      amount: { currency, value: 699 },
      description: "A report",
    },
  })
  const id = String(made.json["id"])
  const path = `/v1/sandbox/payment-intents/${id}/simulate`
  await app.call("POST", path, { key: app.buyer.api_key.key, body: { action: "pay" } })
  const captured = await app.call("POST", `/v1/payment-intents/${id}/capture`)
  expect(captured.json["status"]).toBe("captured")
  return id
}

const refund = (payment_intent: string, said: object = {}, headers = {}) =>
  call("POST", "/v1/refunds", { body: { payment_intent, ...said }, headers })

const advance = (seconds: number) =>
  app.call("POST", "/v1/sandbox/clock/advance", { body: { seconds } })

const faults = (channel: string, said: object) =>
  app.call("PUT", `/v1/sandbox/channels/${channel}/faults`, { body: said })

const errorOf = ({ json, status }: Reply) => {
  expect(Object.keys(json)).toEqual(["error"])
  const error = json["error"] as { readonly code: string; readonly details?: unknown }
  expect(error).toMatchObject({ message: expect.any(String) })
  return { status, code: error.code, details: error.details }
}

describe("a refund", () => {
  test("is pending, and confirmed by the sandbox's channel after a second", async () => {
    const id = await paid()
    const body = { reason: "Not delivered", amount: usd(200) }
    const made = await call("POST", `/v1/payment-intents/${id}/refund`, { body })
    expect([made.status, made.json]).toEqual([
      201,
      expect.objectContaining({
        payment_intent: id,
        amount: usd(200),
        status: "pending",
        reason: "Not delivered",
        remaining_refundable: usd(499),
      }),
    ])
    const path = `/v1/refunds/${String(made.json["id"])}`
    expect((await call("GET", path)).json).toEqual(made.json)
    await advance(1)
    expect((await call("GET", path)).json["status"]).toBe("succeeded")
    const rest = await refund(id)
    expect(rest.json).toMatchObject({ amount: usd(499), remaining_refundable: usd(0) })
    // The payment is settled meanwhile, although it is refunded completely.
    await advance(5)
    expect((await app.call("GET", `/v1/payment-intents/${id}`)).json["status"]).toBe("succeeded")
    const listed = await call("GET", `/v1/refunds?payment_intent=${id}`)
    expect(listed.json["data"]).toMatchObject([{ status: "succeeded" }, { status: "succeeded" }])
    const balance = await app.call("GET", `/v1/ledger/entries?payment_intent=${id}&limit=100`)
    expect(balance.status).toBe(200)
  })

  test("fails where the channel rejects it, at once or later", async () => {
    const id = await paid("wallet_c", "SGD")
    await faults("wallet_c", { refund_rejects: true })
    expect(errorOf(await refund(id))).toEqual({
      status: 409,
      code: "REFUND_CHANNEL_REJECTED",
      details: {
        channel: "wallet_c",
        channel_reason: "wallet_c rejects the refund.",
        max_partial_count: null,
        current_partial_count: 0,
      },
    })
    await faults("wallet_c", { refund_rejects: false })
    const made = await refund(id)
    expect(made.json["status"]).toBe("pending")
    await faults("wallet_c", { refund_rejects: true })
    await advance(2)
    await faults("wallet_c", { refund_rejects: false })
    const path = `/v1/refunds/${String(made.json["id"])}`
    expect((await call("GET", path)).json["status"]).toBe("failed")
    expect((await refund(id)).status).toBe(201)
  })

  test("whose outcome is unknown is found out by asking", async () => {
    const id = await paid("wallet_d", "PHP")
    await faults("wallet_d", { timeout: true })
    const made = await refund(id)
    expect([made.status, made.json["status"]]).toEqual([201, "pending"])
    await faults("wallet_d", { timeout: false })
    await advance(120)
    const path = `/v1/refunds/${String(made.json["id"])}`
    expect((await call("GET", path)).json["status"]).toBe("succeeded")
  })

  test("has one answer under one Idempotency-Key, by either route", async () => {
    const id = await paid()
    const key = { "Idempotency-Key": randomUUID() }
    const first = await refund(id, { amount: usd(100) }, key)
    const again = await refund(id, { amount: usd(100) }, key)
    expect([again.status, again.text]).toEqual([201, first.text])
    expect(again.headers.get("idempotent-replayed")).toBe("true")
    expect(first.headers.get("idempotency-key")).toBe(key["Idempotency-Key"])
    const other = await refund(id, { amount: usd(101) }, key)
    expect(errorOf(other)).toMatchObject({ status: 409, code: "IDEMPOTENCY_KEY_USED" })
    const listed = await call("GET", `/v1/refunds?payment_intent=${id}`)
    expect(listed.json["data"]).toHaveLength(1)
    const path = `/v1/payment-intents/${id}/refund`
    const headers = { "Idempotency-Key": randomUUID() }
    const [one, two] = [
      await call("POST", path, { body: {}, headers }),
      await call("POST", path, { body: {}, headers }),
    ]
    expect(two.text).toBe(one.text)
    expect(one.json["amount"]).toEqual(usd(599))
  })

  test("50 at once for all of it: one succeeds", async () => {
    const id = await paid()
    const answers = await Promise.all(Array.from({ length: 50 }, () => refund(id)))
    const taken = answers.filter(({ status }) => status === 201)
    const refused = answers.filter(({ status }) => status !== 201).map(errorOf)
    expect(taken).toHaveLength(1)
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(["REFUND_EXCEEDS_PAYMENT"]))
  })

  test("50 at once of a part each all succeed", async () => {
    const id = await paid("wallet_b")
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => refund(id, { amount: usd(13) })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(errorOf(await refund(id, { amount: usd(50) })).code).toBe("REFUND_EXCEEDS_PAYMENT")
    expect((await refund(id, { amount: usd(49) })).status).toBe(201)
  })
})

describe("what is refused, in the nested shape", () => {
  const unknown = "pi_01997d3e-8a00-7000-8000-00000000ffff"

  test.each([
    ["another currency", { amount: { currency: "EUR", value: 1 } }, 400, "INVALID_AMOUNT"],
    ["zero", { amount: usd(0) }, 400, "INVALID_AMOUNT"],
    ["a negative amount", { amount: usd(-5) }, 400, "INVALID_AMOUNT"],
    ["a fraction", { amount: usd(1.5) }, 400, "INVALID_AMOUNT"],
    ["more than was paid", { amount: usd(700) }, 409, "REFUND_EXCEEDS_PAYMENT"],
    ["a reason of 257", { reason: "x".repeat(257) }, 422, "INVALID_REQUEST"],
    ["a description of 1025", { description: "x".repeat(1025) }, 422, "INVALID_REQUEST"],
    ["no payment", { payment_intent: null }, 422, "MISSING_REQUIRED_FIELD"],
    ["an unknown payment", { payment_intent: unknown }, 404, "NOT_FOUND"],
    ["a payment that is none", { payment_intent: "x" }, 404, "NOT_FOUND"],
  ])("%s", async (_name, said, status, code) => {
    const id = await paid()
    expect(errorOf(await refund(id, said))).toMatchObject({ status, code })
    expect((await call("GET", `/v1/refunds?payment_intent=${id}`)).json["data"]).toEqual([])
  })

  test("takes a reason of 256", async () => {
    expect((await refund(await paid(), { reason: "é".repeat(256) })).status).toBe(201)
  })

  test("who may not", async () => {
    const id = await paid()
    for (const path of ["/v1/refunds", `/v1/payment-intents/${id}/refund`]) {
      const body = { payment_intent: id }
      const as = (key: string | null) => call("POST", path, { key, body })
      expect(errorOf(await as(null))).toMatchObject({ status: 401, code: "UNAUTHORIZED" })
      const unkeyed = await as(`sk_test_${"x".repeat(43)}`)
      expect(errorOf(unkeyed)).toMatchObject({ status: 401, code: "INVALID_API_KEY" })
      const buyer = await as(app.buyer.api_key.key)
      expect(errorOf(buyer)).toMatchObject({ status: 403, code: "FORBIDDEN" })
      const json = await call("POST", path, { body: "{" })
      expect(errorOf(json)).toMatchObject({ status: 400, code: "INVALID_JSON" })
      const put = await app.call("PUT", path, { body })
      expect(errorOf(put)).toMatchObject({ status: 405, code: "METHOD_NOT_ALLOWED" })
    }
    const { json: other } = await app.call("POST", "/v1/accounts", {
      key: ADMIN_KEY,
      body: { name: "Other", kind: "seller", agent_id: "other-seller", merchant_account: "m-9" },
    })
    const { key } = other["api_key"] as { readonly key: string }
    const body = { payment_intent: id }
    const foreign = await call("POST", "/v1/refunds", { key, body })
    expect(errorOf(foreign)).toMatchObject({ status: 404, code: "NOT_FOUND" })
    expect((await call("GET", `/v1/refunds?payment_intent=${id}`)).json["data"]).toEqual([])
    const missing = await call("GET", "/v1/refunds/ref_01997d3e-8a00-7000-8000-00000000ffff")
    expect(errorOf(missing)).toMatchObject({ status: 404, code: "NOT_FOUND" })
    const query = await call("GET", "/v1/refunds?limit=0")
    expect(errorOf(query)).toMatchObject({ status: 400, code: "INVALID_QUERY" })
  })

  test("a payment that nobody has paid", async () => {
    const service = await activeService(app, { name: "Unpaid" })
    const body = {
      service_id: service,
      type: "one_time",
      amount: usd(699),
      description: "A report",
      payer_channel: "wallet_a",
    }
    const made = await app.call("POST", "/v1/payment-intents", { key: app.buyer.api_key.key, body })
    expect(errorOf(await refund(String(made.json["id"])))).toMatchObject({
      status: 409,
      code: "REFUND_NOT_ALLOWED",
      details: { status: "qr_generated" },
    })
  })

  test("a part of a payment by a bank without partial refunds, which gives all back", async () => {
    const id = await paid("bank_qr_b", "BRL")
    expect(errorOf(await refund(id, { amount: { currency: "BRL", value: 1 } }))).toEqual({
      status: 409,
      code: "REFUND_LIMIT_EXCEEDED",
      details: { channel: "bank_qr_b", max_partial_count: 0, current_partial_count: 0 },
    })
    expect((await refund(id)).status).toBe(201)
  })

  test("a payment that is too old", { timeout: 120_000 }, async () => {
    const id = await paid("wallet_e", "THB")
    await advance(90 * 86_400 + 60)
    expect(errorOf(await refund(id))).toEqual({
      status: 400,
      code: "REFUND_WINDOW_EXPIRED",
      details: { max_window_days: 90, payment_age_days: 91, channel: "wallet_e" },
    })
  })
})
