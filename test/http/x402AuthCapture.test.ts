import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { decodePaymentResponseHeader } from "@x402/core/http"
import { HTTPFacilitatorClient, x402ResourceServer } from "@x402/core/server"
import { paymentMiddleware, setSettlementOverrides } from "@x402/express"
import { wrapFetchWithPayment, x402Client } from "@x402/fetch"
import express from "express"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { makeClient, sandboxWallet, x402Buyer } from "../../adapters/http/client/entry.ts"
import { x402Facilitator, x402Server } from "../../adapters/http/paid/402.ts"
import { activeService, type App, startApp } from "../support/app.ts"

type Facilitators = ConstructorParameters<typeof x402ResourceServer>[0]

const NETWORK = "payport:sandbox"
const RESOURCE = "https://shop.example/tokens"

let app: App
let service: string
let banked: string
const shops: Array<{ readonly close: () => void }> = []
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  service = await activeService(app)
  const channels = { accepted_channels: ["business_a"], default_channel: "business_a" }
  banked = await activeService(app, { name: "By business", ...channels })
})
afterAll(async () => {
  for (const shop of shops) shop.close()
  await app.stop()
})

/** A server that holds first and takes what was used: `@x402/express` as it comes. */
const openShop = async (facilitator: Facilitators) => {
  const priced = { network: NETWORK, payTo: service, price: "$0.25" } as const
  const server = new x402ResourceServer(facilitator)
    .register("payport:*", x402Server())
    .register("payport:*", x402Server({ scheme: "auth-capture" }))
  const shop = express()
  const accepts = { scheme: "auth-capture", ...priced } as const
  const charged = { ...accepts, extra: { paymentFlow: "authorization" } }
  const routes = {
    "GET /tokens/:used": { accepts, description: "Tokens" },
    "GET /charged": { accepts: charged, description: "Tokens, at once" },
    "GET /broken": { accepts, description: "Nothing" },
  }
  shop.use(paymentMiddleware(routes, server))
  shop.get("/tokens/:used", (request, response) => {
    const { used } = request.params
    if (used !== "all") setSettlementOverrides(response, { amount: used })
    response.json({ used })
  })
  shop.get("/charged", (_request, response) => {
    setSettlementOverrides(response, { amount: "5" })
    response.json({ used: 5 })
  })
  shop.get("/broken", (_request, response) => void response.status(500).json({}))
  const listening = shop.listen(0, "127.0.0.1")
  await once(listening, "listening")
  shops.push(listening)
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`
}

const byUrl = () => {
  const headers = { Authorization: `Bearer ${app.seller.api_key.key}` }
  const createAuthHeaders = () => Promise.resolve({ verify: headers, settle: headers })
  return new HTTPFacilitatorClient({ url: `${app.url}/v1/x402`, createAuthHeaders })
}

const buyerOptions = () => ({ baseUrl: app.url, apiKey: app.buyer.api_key.key })

const buying = () => {
  const wallet = sandboxWallet(buyerOptions())
  const budget = { currency: "USD", perCall: 100, total: 1_000 }
  const buyer = x402Buyer(fetch, { payport: buyerOptions(), wallet, budget })
  const client = new x402Client()
    .register("payport:*", buyer.scheme)
    .register("payport:*", buyer.authCapture)
  return wrapFetchWithPayment(buyer.fetch, client)
}

const seen = async (id: string) => (await app.call("GET", `/v1/payment-intents/${id}`)).json

const usd = (value: number) => ({ currency: "USD", value })

describe("@x402/express and @x402/fetch, with a hold", () => {
  const told = async (path: string, status = 200) => {
    const facilitator = x402Facilitator({ baseUrl: app.url, apiKey: app.seller.api_key.key })
    const response = await buying()(`${await openShop(facilitator)}${path}`)
    expect(response.status).toBe(status)
    return decodePaymentResponseHeader(response.headers.get("PAYMENT-RESPONSE") ?? "")
  }

  test.each([
    ["/tokens/10", 10],
    ["/tokens/all", 25],
    ["/charged", 5],
  ])("take by %s what was used", async (path, value) => {
    const { amount, success, transaction } = await told(path)
    expect([success, amount]).toEqual([true, String(value)])
    expect(await seen(transaction)).toMatchObject({ amount: usd(25), settlement: { value } })
  })

  test("release all where nothing was used, and where the route fails", async () => {
    const none = await told("/tokens/0")
    expect(none).toMatchObject({ success: true, amount: "0" })
    expect(await seen(none.transaction)).toMatchObject({ status: "voided" })
    const { transaction } = await told("/broken", 500)
    expect(await seen(transaction)).toMatchObject({ status: "voided" })
  })

  test("are served by a facilitator that is known by its URL alone", async () => {
    const response = await buying()(`${await openShop(byUrl())}/tokens/10`)
    expect(response.status).toBe(200)
  })
})

const required = (amount: string, other: object = {}) => ({
  scheme: "auth-capture",
  network: NETWORK,
  amount,
  asset: "USD",
  payTo: service,
  maxTimeoutSeconds: 300,
  extra: { resource: RESOURCE },
  ...other,
})

const authorized = async (service_id = service) => {
  const { facilitator } = makeClient(buyerOptions())
  const { payment_intent } = await facilitator.pay({
    service_id,
    amount: usd(25),
    resource: RESOURCE,
  })
  await sandboxWallet(buyerOptions()).pay({ ...payment_intent, origin: "https://shop.example" })
  return payment_intent
}

type Proof = Awaited<ReturnType<typeof authorized>>

const ask = async (
  verb: "verify" | "settle",
  { id, token }: Proof,
  amount: string,
  other: object = {},
  type?: string,
) => {
  const accepted = required("25", other)
  const payload = { payment_intent: id, token, ...(type !== undefined && { type }) }
  const { json } = await app.call("POST", `/v1/x402/${verb}`, {
    key: app.seller.api_key.key,
    body: {
      x402Version: 2,
      paymentPayload: { x402Version: 2, accepted, payload },
      paymentRequirements: required(amount, other),
    },
  })
  return json
}

const flowOf = (paymentFlow: string) => ({ extra: { resource: RESOURCE, paymentFlow } })

describe("what is held", () => {
  test("is captured once, after the hold, and answered alike", async () => {
    const proof = await authorized()
    expect(await ask("settle", proof, "9", {}, "capture")).toMatchObject({
      success: false,
      errorReason: "payment_not_authorized",
    })
    const held = await ask("settle", proof, "25")
    expect(held).toMatchObject({ success: true, amount: "25", transaction: proof.id })
    expect(await ask("settle", proof, "25")).toEqual(held)
    expect(await seen(proof.id)).toMatchObject({ status: "authorized" })
    const taken = await ask("settle", proof, "9", {}, "capture")
    expect(taken).toMatchObject({ success: true, amount: "9" })
    expect(await ask("settle", proof, "9", {}, "capture")).toEqual(taken)
    expect(await ask("settle", proof, "10", {}, "capture")).toMatchObject({
      errorReason: "payment_already_settled",
    })
    expect(await ask("settle", proof, "25", {}, "void")).toMatchObject({
      errorReason: "payment_already_settled",
    })
    expect(await seen(proof.id)).toMatchObject({ captured_amount: usd(9) })
  })

  test("is released once, and by its time", async () => {
    const [voided, left] = [await authorized(), await authorized()]
    await ask("settle", voided, "25")
    await ask("settle", left, "25")
    const released = await ask("settle", voided, "25", {}, "void")
    expect(released).toMatchObject({ success: true, amount: "0" })
    expect(await ask("settle", voided, "25", {}, "void")).toEqual(released)
    expect(await ask("settle", voided, "9", {}, "capture")).toMatchObject({ success: false })
    await app.call("POST", "/v1/sandbox/clock/advance", { body: { seconds: 901 } })
    expect(await ask("settle", left, "9", {}, "capture")).toMatchObject({
      success: false,
      errorReason: "payment_expired",
    })
    expect(await seen(left.id)).toMatchObject({ status: "expired" })
  })

  test.each<[string, string, object, string | undefined, string]>([
    ["a hold of a part", "9", {}, undefined, "invalid_payload"],
    ["an operation that there is not", "9", {}, "refund", "invalid_payload"],
    ["a flow that there is not", "25", flowOf("upfront"), undefined, "unsupported_payment_flow"],
    [
      "a capture without a hold",
      "9",
      flowOf("authorization"),
      "capture",
      "unsupported_payment_flow",
    ],
    ["more than was authorized", "26", {}, "capture", "settlement_exceeds_amount"],
  ])("refuses %s, and moves nothing", async (_, amount, other, type, errorReason) => {
    const proof = await authorized()
    expect(await ask("settle", proof, amount, other, type)).toMatchObject({
      success: false,
      errorReason,
    })
    expect(await seen(proof.id)).toMatchObject({ status: "authorized" })
  })

  test("is at a channel that captures parts", async () => {
    const proof = await authorized(banked)
    expect(await ask("settle", proof, "25", { payTo: banked })).toMatchObject({
      success: false,
      errorReason: "invalid_payment_proof",
    })
  })
})
