import { afterAll, beforeAll, expect, test } from "vitest"
import { activeService, type App, startApp } from "../support/app.ts"

let app: App
let service: string
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  service = await activeService(app, { name: "Metered" })
})
afterAll(() => app.stop())

const usd = (value: number) => ({ currency: "USD", value })

const simulate = (id: string, action: string) =>
  app.call("POST", `/v1/sandbox/payment-intents/${id}/simulate`, { body: { action } })

const authorized = async () => {
  const { json } = await app.call("POST", "/v1/payment-intents", {
    key: app.buyer.api_key.key,
    body: {
      service_id: service,
      type: "one_time",
      amount: usd(699),
      description: "So much at most",
      payer_channel: "wallet_a",
    },
  })
  const id = String(json["id"])
  await simulate(id, "authorize")
  return id
}

const asSeller = (path: string, body?: object, headers: { [name: string]: string } = {}) =>
  app.call("POST", path, {
    key: app.seller.api_key.key,
    headers,
    ...(body !== undefined && { body }),
  })

const capture = (id: string, value?: number, headers?: { [name: string]: string }) =>
  asSeller(
    `/v1/payment-intents/${id}/capture`,
    value === undefined ? undefined : { amount: usd(value) },
    headers,
  )

const seen = async (id: string) => {
  const key = app.buyer.api_key.key
  return (await app.call("GET", `/v1/payment-intents/${id}`, { key })).json
}

test("a part is captured, settled and refunded at the sandbox's channel", async () => {
  const id = await authorized()
  const captured = await capture(id, 250)
  expect(captured.json).toMatchObject({
    status: "captured",
    amount: usd(699),
    captured_amount: usd(250),
    settlement: { currency: "USD", value: 250, rate: 1 },
    fees: { service: usd(1), channel: usd(1) },
  })
  await simulate(id, "settle")
  expect(await seen(id)).toMatchObject({ status: "succeeded", captured_amount: usd(250) })
  const refund = (value: number) =>
    asSeller("/v1/refunds", { payment_intent: id, amount: usd(value) })
  expect((await refund(251)).json["error"]).toMatchObject({
    code: "REFUND_EXCEEDS_PAYMENT",
    details: { remaining_refundable: usd(250) },
  })
  expect((await refund(100)).json).toMatchObject({ remaining_refundable: usd(150) })
  const key = app.seller.api_key.key
  const log = await app.call("GET", `/v1/events?type=payment_intent.succeeded`, { key })
  expect(JSON.stringify(log.json)).toContain('"captured_amount":{"currency":"USD","value":250}')
})

test("a retry is answered alike, and another amount says what was captured", async () => {
  const id = await authorized()
  const named = { "idempotency-key": "one-capture" }
  const first = await capture(id, 250, named)
  expect(first.json).toMatchObject({ captured_amount: usd(250) })
  expect((await capture(id, 250, named)).text).toBe(first.text)
  expect((await capture(id, 250)).json).toMatchObject({ captured_amount: usd(250) })
  for (const other of [await capture(id), await capture(id, 251)]) {
    expect(other.status).toBe(400)
    expect(other.json).toMatchObject({
      code: "INVALID_TRANSITION",
      details: { captured_amount: usd(250) },
    })
  }
})

test("what is wrong is refused, and without an amount nothing is new", async () => {
  const id = await authorized()
  for (const amount of [usd(700), usd(0), usd(1.5), { currency: "EUR", value: 9 }, 250, null]) {
    const { json, status } = await asSeller(`/v1/payment-intents/${id}/capture`, { amount })
    expect([status, json["code"]]).toEqual([400, "INVALID_AMOUNT"])
  }
  const { json } = await capture(id)
  expect(json).toMatchObject({ status: "captured", settlement: { value: 699 } })
  expect(json).not.toHaveProperty("captured_amount")
})
