import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { x402ResourceServer, HTTPFacilitatorClient } from "@x402/core/server"
import { decodePaymentResponseHeader } from "@x402/core/http"
import { paymentMiddleware } from "@x402/express"
import { wrapFetchWithPayment, x402Client } from "@x402/fetch"
import express from "express"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { makeClient, sandboxWallet, x402Buyer } from "../../adapters/http/client/entry.ts"
import { x402Facilitator, x402Server } from "../../adapters/http/paid/402.ts"
import { activeService, type App, startApp } from "../support/app.ts"

type Facilitators = ConstructorParameters<typeof x402ResourceServer>[0]
type Json = { readonly [name: string]: unknown }

const NETWORK = "payport:sandbox"

let app: App
let service: string
const shops: Array<{ readonly close: () => void }> = []
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  service = await activeService(app)
})
afterAll(async () => {
  for (const shop of shops) shop.close()
  await app.stop()
})

/** Another team's x402 server, which settles at our facilitator: `@x402/express` as it comes. */
const openShop = async (facilitator: Facilitators, extra = {}) => {
  const priced = { network: NETWORK, payTo: service, price: "$0.25" } as const
  const accepts = { scheme: "exact", ...priced, extra } as const
  const server = new x402ResourceServer(facilitator).register("payport:*", x402Server())
  const shop = express()
  shop.use(paymentMiddleware({ "GET /reports/:id": { accepts, description: "Report" } }, server))
  shop.get("/reports/:id", (request, response) => void response.json({ report: request.params.id }))
  const listening = shop.listen(0, "127.0.0.1")
  await once(listening, "listening")
  shops.push(listening)
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}/reports/7`
}

/** The facilitator by its URL alone, as a seller changes it. */
const byUrl = () => {
  const headers = { Authorization: `Bearer ${app.seller.api_key.key}` }
  const createAuthHeaders = () => Promise.resolve({ verify: headers, settle: headers })
  return new HTTPFacilitatorClient({ url: `${app.url}/v1/x402`, createAuthHeaders })
}

const seller = () => ({ baseUrl: app.url, apiKey: app.seller.api_key.key })
const buyerOptions = () => ({ baseUrl: app.url, apiKey: app.buyer.api_key.key })

/** The real client with our scheme; `send` sends its requests. */
const buyerOf = (send: (request: Request) => Promise<Response> = fetch) => {
  const budget = { currency: "USD", perCall: 100, total: 100 }
  const wallet = sandboxWallet(buyerOptions())
  const buyer = x402Buyer(send, { payport: buyerOptions(), wallet, budget })
  const client = new x402Client().register("payport:*", buyer.scheme)
  return wrapFetchWithPayment(buyer.fetch, client)
}

const told = (response: Response) =>
  decodePaymentResponseHeader(response.headers.get("PAYMENT-RESPONSE") ?? "")

const payments = async (): Promise<ReadonlyArray<Json>> =>
  (await app.call("GET", "/v1/payment-intents")).json["data"] as ReadonlyArray<Json>

const requirements = (other: object = {}) => ({
  scheme: "exact",
  network: NETWORK,
  amount: "25",
  asset: "USD",
  payTo: service,
  maxTimeoutSeconds: 300,
  extra: { resource: "https://shop.example/reports/7" },
  ...other,
})

const shownFor = (
  { id, token }: { readonly id: string; readonly token: string },
  required: object = requirements(),
  other: object = {},
) => ({
  x402Version: 2,
  paymentPayload: {
    x402Version: 2,
    accepted: required,
    payload: { payment_intent: id, token },
    ...other,
  },
  paymentRequirements: required,
})

const begun = async () => {
  const { facilitator } = makeClient(buyerOptions())
  const { payment_intent } = await facilitator.pay({
    service_id: service,
    amount: { currency: "USD", value: 25 },
    resource: "https://shop.example/reports/7",
  })
  return payment_intent
}

const authorized = async () => {
  const payment = await begun()
  await sandboxWallet(buyerOptions()).pay({ ...payment, origin: "https://shop.example" })
  return payment
}

const ask = (verb: "verify" | "settle", body: object, key = app.seller.api_key.key) =>
  app.call("POST", `/v1/x402/${verb}`, { body, key })

const statusOf = async (id: string) =>
  (await app.call("GET", `/v1/payment-intents/${id}`)).json["status"]

const stats = { CAPTURED: ["captured", "succeeded"] }

describe("@x402/express with our facilitator, and @x402/fetch with our scheme", () => {
  test("sell and buy by a wallet, the facilitator known by its URL alone", async () => {
    const response = await buyerOf()(await openShop(byUrl()))
    expect([response.status, await response.json()]).toEqual([200, { report: "7" }])
    const { payer, success, transaction } = told(response)
    expect([success, payer]).toEqual([true, app.buyer.agent_id])
    const { json } = await app.call("GET", `/v1/payment-intents/${transaction}`)
    expect(json).toMatchObject({ amount: { currency: "USD", value: 25 }, service_id: service })
    expect(stats.CAPTURED).toContain(json["status"])
  })

  test("take the money once when the settlement's answer is lost", async () => {
    const lost: Array<string> = []
    const losing = async (url: string, init: RequestInit) => {
      const response = await fetch(url, init)
      if (!url.endsWith("/settle") || lost.length > 0) return response
      lost.push(await response.text())
      throw new TypeError("The connection broke.")
    }
    const before = (await payments()).length
    const shop = await openShop(x402Facilitator({ ...seller(), fetch: losing }))
    const response = await buyerOf()(shop)
    expect(response.status).toBe(200)
    expect(lost).toHaveLength(1)
    expect(told(response)).toMatchObject(JSON.parse(lost[0] ?? "") as object)
    expect(await payments()).toHaveLength(before + 1)
  })

  test("show the same payment again when the seller's answer is lost", async () => {
    const shop = await openShop(byUrl())
    let losses = 0
    const buying = buyerOf(async (request) => {
      if (!request.headers.has("PAYMENT-SIGNATURE") || losses++ > 0) return fetch(request)
      throw new TypeError("The connection broke.")
    })
    const before = (await payments()).length
    await expect(buying(shop)).rejects.toThrow("broke")
    expect((await buying(shop)).status).toBe(200)
    expect(await payments()).toHaveLength(before + 1)
  })

  test.each([
    ["its URL alone", () => byUrl()],
    ["our client of it", () => x402Facilitator(seller())],
  ])("charge up front for one response, the facilitator known by %s", async (_, facilitator) => {
    const shop = await openShop(facilitator(), { paymentFlow: "upfront" })
    let signature = ""
    const spying = (request: Request) => {
      signature = request.headers.get("PAYMENT-SIGNATURE") ?? signature
      return fetch(request)
    }
    expect((await buyerOf(spying)(shop)).status).toBe(200)
    for (let time = 0; time < 3; time += 1) {
      const again = await fetch(shop, { headers: { "PAYMENT-SIGNATURE": signature } })
      expect(again.status).toBe(402)
      expect(told(again)).toMatchObject({ success: false, errorReason: "payment_already_settled" })
    }
  })

  test("open one response to a payload that is sent ten times at once", async () => {
    const shop = await openShop(x402Facilitator(seller()))
    let signature = ""
    const response = await buyerOf((request) => {
      signature = request.headers.get("PAYMENT-SIGNATURE") ?? ""
      const first = signature === "" ? fetch(request) : Promise.resolve(new Response("later"))
      return first
    })(shop)
    expect(await response.text()).toBe("later")
    const send = () => fetch(shop, { headers: { "PAYMENT-SIGNATURE": signature } })
    const all = await Promise.all(Array.from({ length: 10 }, send))
    expect(all.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array<number>(9).fill(402),
    ])
    const bodies = await Promise.all(all.map((each) => each.text()))
    expect(bodies.filter((body) => body.includes('"report"'))).toHaveLength(1)
  })
})

describe("settling", () => {
  test("answers the same payload the same, twice at once and later", async () => {
    const body = shownFor(await authorized())
    const [one, two] = await Promise.all([ask("settle", body), ask("settle", body)])
    const three = await ask("settle", body)
    expect(one.json).toMatchObject({ success: true, amount: "25", payer: app.buyer.agent_id })
    expect([two.json, three.json]).toEqual([one.json, one.json])
    expect((await ask("verify", body)).json["invalidReason"]).toBe("payment_already_settled")
  })

  test.each(["exact", "upto"])("answers %s up front again under its key only", async (scheme) => {
    const extra = { resource: "https://shop.example/reports/7", paymentFlow: "upfront" }
    const body = shownFor(await authorized(), requirements({ scheme, extra }))
    const settle = (headers: { readonly [name: string]: string }) =>
      app.call("POST", "/v1/x402/settle", { body, headers, key: app.seller.api_key.key })
    const headers = { "idempotency-key": `up-front-${scheme}` }
    const first = await settle(headers)
    expect(first.json).toMatchObject({ success: true, amount: "25" })
    expect((await settle(headers)).json).toEqual(first.json)
    expect((await settle({})).json).toMatchObject({
      success: false,
      errorReason: "payment_already_settled",
    })
  })

  test("finds out by asking what a channel did not answer", async () => {
    const payment = await authorized()
    const body = shownFor(payment)
    const faults = "/v1/sandbox/channels/wallet_a/faults"
    await app.call("PUT", faults, { body: { timeout: true } })
    const unknown = await ask("settle", body)
    await app.call("PUT", faults, { body: { timeout: false } })
    expect(unknown.json).toMatchObject({
      success: false,
      errorReason: "settlement_pending",
      transaction: payment.id,
    })
    await app.call("POST", "/v1/sandbox/clock/advance", { body: { seconds: 120 } })
    expect((await ask("settle", body)).json).toMatchObject({
      success: true,
      transaction: payment.id,
    })
  })

  test("takes nothing for a proof that comes too late, and verifying never does", async () => {
    const payment = await authorized()
    const body = shownFor(payment, requirements({ maxTimeoutSeconds: 60 }))
    expect((await ask("verify", body)).json).toEqual({ isValid: true, payer: app.buyer.agent_id })
    expect(await statusOf(payment.id)).toBe("authorized")
    await app.call("POST", "/v1/sandbox/clock/advance", { body: { seconds: 61 } })
    expect((await ask("verify", body)).json["invalidReason"]).toBe("payment_expired")
    expect((await ask("settle", body)).json["errorReason"]).toBe("payment_expired")
    expect(await statusOf(payment.id)).toBe("authorized")
  })

  test.each<[string, () => object, string]>([
    ["another amount", () => ({ amount: "24" }), "invalid_payment_proof"],
    ["another currency", () => ({ asset: "EUR" }), "invalid_payment_proof"],
    ["another service", () => ({ payTo: "weather" }), "invalid_payment_proof"],
    ["another address", () => ({ extra: { resource: "https://a/" } }), "invalid_payment_proof"],
    ["no address", () => ({ extra: {} }), "invalid_payment_requirements"],
    ["no time", () => ({ maxTimeoutSeconds: 0 }), "invalid_payment_requirements"],
    ["a part of a cent", () => ({ amount: "0.5" }), "invalid_payment_requirements"],
    ["another network", () => ({ network: "payport:live" }), "invalid_network"],
    ["another scheme", () => ({ scheme: "deferred" }), "unsupported_scheme"],
  ])("refuses a payment of %s, and takes nothing", async (_, other, reason) => {
    const payment = await authorized()
    const body = shownFor(payment, requirements(other()))
    expect((await ask("verify", body)).json).toMatchObject({
      isValid: false,
      invalidReason: reason,
    })
    expect((await ask("settle", body)).json).toMatchObject({ success: false, errorReason: reason })
    expect(await statusOf(payment.id)).toBe("authorized")
  })

  test("refuses what the buyer has not accepted, forged, or not paid", async () => {
    const payment = await authorized()
    const reason = async (body: object, key?: string) =>
      (await ask("verify", body, key)).json["invalidReason"]
    const accepted = requirements({ amount: "1" })
    expect(await reason(shownFor(payment, undefined, { accepted }))).toBe("invalid_payload")
    const resource = { url: "https://shop.example/reports/8" }
    expect(await reason(shownFor(payment, undefined, { resource }))).toBe("invalid_payload")
    expect(await reason(shownFor(payment, undefined, { payload: {} }))).toBe("invalid_payload")
    expect(await reason({ ...shownFor(payment), x402Version: 1 })).toBe("invalid_x402_version")
    const forged = { ...payment, token: "x".repeat(43) }
    expect(await reason(shownFor(forged))).toBe("invalid_payment_proof")
    // Another account than the payee's has nothing to settle.
    expect(await reason(shownFor(payment), app.buyer.api_key.key)).toBe("invalid_payment_proof")
    expect(await reason(shownFor(await begun()))).toBe("payment_not_authorized")
  })

  test("needs a key, and saying what is settled does not", async () => {
    const body = shownFor(await begun())
    for (const verb of ["verify", "settle", "payments"]) {
      const { status } = await app.call("POST", `/v1/x402/${verb}`, { key: null, body })
      expect(status).toBe(401)
    }
    expect((await app.call("GET", "/v1/x402/supported", { key: null })).json["kinds"]).toEqual([
      { x402Version: 2, scheme: "exact", network: NETWORK },
      { x402Version: 2, scheme: "upto", network: NETWORK },
      { x402Version: 2, scheme: "auth-capture", network: NETWORK },
    ])
  })
})

test.each([
  ["$0.25", "25"],
  [3, "300"],
  ["12.5", "1250"],
])("a price of %s is %s cents", async (price, amount) => {
  expect(await x402Server().parsePrice(price)).toEqual({ asset: "USD", amount })
})

test.each(["$0.001", "free", "0", "-1"])("a price of %s is refused", async (price) => {
  await expect(x402Server().parsePrice(price)).rejects.toThrow("no amount of dollars")
})
