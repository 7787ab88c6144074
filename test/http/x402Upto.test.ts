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

/** A server that takes what was used: `@x402/express` as it comes, with both schemes. */
const openShop = async (facilitator: Facilitators) => {
  const priced = { network: NETWORK, payTo: service, price: "$0.25" } as const
  const server = new x402ResourceServer(facilitator)
    .register("payport:*", x402Server())
    .register("payport:*", x402Server({ scheme: "upto" }))
  const shop = express()
  const routes = {
    "GET /tokens/:used": { accepts: { scheme: "upto", ...priced }, description: "Tokens" },
    "GET /report": { accepts: { scheme: "exact", ...priced }, description: "Report" },
  }
  shop.use(paymentMiddleware(routes, server))
  shop.get("/tokens/:used", (request, response) => {
    const { used } = request.params
    if (used !== "all") setSettlementOverrides(response, { amount: used })
    response.json({ used })
  })
  shop.get("/report", (_request, response) => void response.json({ report: 7 }))
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
    .register("payport:*", buyer.upto)
  return wrapFetchWithPayment(buyer.fetch, client)
}

const seen = async (id: string) => (await app.call("GET", `/v1/payment-intents/${id}`)).json

const usd = (value: number) => ({ currency: "USD", value })

describe("@x402/express and @x402/fetch, by use", () => {
  test.each([
    ["10", 10],
    ["40%", 10],
    ["$0.10", 10],
    ["1", 1],
  ])("take %s of what was authorized", async (used, value) => {
    const response = await buying()(`${await openShop(byUrl())}/tokens/${encodeURIComponent(used)}`)
    expect(response.status).toBe(200)
    const told = decodePaymentResponseHeader(response.headers.get("PAYMENT-RESPONSE") ?? "")
    expect(told).toMatchObject({ success: true, amount: String(value) })
    expect(await seen(told.transaction)).toMatchObject({
      amount: usd(25),
      captured_amount: usd(value),
      settlement: { value },
    })
  })

  test("take all where nothing is said, and nothing of what was not used", async () => {
    const facilitator = x402Facilitator({ baseUrl: app.url, apiKey: app.seller.api_key.key })
    const shop = await openShop(facilitator)
    const told = async (path: string) => {
      const response = await buying()(`${shop}${path}`)
      expect(response.status).toBe(200)
      return decodePaymentResponseHeader(response.headers.get("PAYMENT-RESPONSE") ?? "")
    }
    const all = await told("/tokens/all")
    expect(all).toMatchObject({ success: true, amount: "25" })
    expect(await seen(all.transaction)).not.toHaveProperty("captured_amount")
    const none = await told("/tokens/0")
    expect(none).toMatchObject({ success: true, amount: "0" })
    expect(await seen(none.transaction)).toMatchObject({ status: "voided" })
    expect(await told("/report")).toMatchObject({ success: true, amount: "25" })
  })
})

const required = (amount: string, other: object = {}) => ({
  scheme: "upto",
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
  most = "25",
  headers: { readonly [name: string]: string } = {},
) => {
  const accepted = required(most, other)
  const payload = { payment_intent: id, token }
  const { json } = await app.call("POST", `/v1/x402/${verb}`, {
    key: app.seller.api_key.key,
    headers,
    body: {
      x402Version: 2,
      paymentPayload: { x402Version: 2, accepted, payload },
      paymentRequirements: required(amount, other),
    },
  })
  return json
}

describe("settling what was used", () => {
  test("is done once: the same is answered alike, another amount is refused", async () => {
    const proof = await authorized()
    expect(await ask("verify", proof, "25")).toMatchObject({ isValid: true })
    const [one, two] = await Promise.all([ask("settle", proof, "9"), ask("settle", proof, "9")])
    expect(one).toMatchObject({ success: true, amount: "9" })
    expect([two, await ask("settle", proof, "9")]).toEqual([one, one])
    for (const other of ["10", "25", "0"]) {
      expect(await ask("settle", proof, other)).toMatchObject({
        success: false,
        errorReason: "payment_already_settled",
      })
    }
    expect(await seen(proof.id)).toMatchObject({ captured_amount: usd(9) })
  })

  test("races with other amounts and with a release: one wins", async () => {
    const proof = await authorized()
    const amounts = ["3", "0", "25", "7"]
    const answers = await Promise.all(amounts.map((amount) => ask("settle", proof, amount)))
    const won = answers.filter(({ success }) => success)
    expect(won).toHaveLength(1)
    const { amount, captured_amount, status } = await seen(proof.id)
    const taken = status === "voided" ? usd(0) : (captured_amount ?? amount)
    expect(taken).toEqual(usd(Number(won[0]?.["amount"])))
  })

  test("releases all under a key, and is answered alike under it", async () => {
    const proof = await authorized()
    const settle = () => ask("settle", proof, "0", {}, "25", { "idempotency-key": "nothing-used" })
    const first = await settle()
    expect(first).toMatchObject({ success: true, amount: "0", transaction: proof.id })
    expect(await settle()).toEqual(first)
    expect(await ask("settle", proof, "0")).toEqual(first)
    expect(await ask("settle", proof, "5")).toMatchObject({ errorReason: "payment_ended" })
  })

  test.each<[string, string, object, string, string]>([
    ["more than was authorized", "26", {}, "25", "settlement_exceeds_amount"],
    ["a maximum that nobody authorized", "26", {}, "30", "invalid_payment_proof"],
    ["a part of a cent", "0.5", {}, "25", "invalid_payment_requirements"],
    ["less than nothing", "-1", {}, "25", "invalid_payment_requirements"],
    ["another currency", "9", { asset: "EUR" }, "25", "invalid_payment_proof"],
    ["another service", "9", { payTo: "weather" }, "25", "invalid_payment_proof"],
    ["a part in the scheme exact", "9", { scheme: "exact" }, "25", "invalid_payload"],
  ])("refuses %s, and takes nothing", async (_, used, other, most, errorReason) => {
    const proof = await authorized()
    expect(await ask("settle", proof, used, other, most)).toMatchObject({
      success: false,
      errorReason,
    })
    expect(await seen(proof.id)).toMatchObject({ status: "authorized" })
  })

  test("needs a channel that captures parts, which verifying says before the work", async () => {
    const proof = await authorized(banked)
    const other = { payTo: banked }
    expect(await ask("verify", proof, "25", other)).toMatchObject({
      isValid: false,
      invalidReason: "invalid_payment_proof",
    })
    expect(await ask("settle", proof, "9", other)).toMatchObject({ success: false })
    expect(await seen(proof.id)).toMatchObject({ status: "authorized" })
    expect(await ask("settle", proof, "25", other)).toMatchObject({ success: true })
  })
})
