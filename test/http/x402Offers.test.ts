import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { decodePaymentRequiredHeader } from "@x402/core/http"
import { HTTPFacilitatorClient, x402ResourceServer } from "@x402/core/server"
import { paymentMiddleware } from "@x402/express"
import {
  createJWSOfferReceiptIssuer,
  createOfferReceiptExtension,
  declareOfferReceiptExtension,
  decodeSignedOffers,
  extractOffersFromPaymentRequired,
  extractReceiptFromResponse,
  findAcceptsObjectFromSignedOffer,
  type JWSSignedOffer,
  type JWSSignedReceipt,
  verifyOfferSignatureJWS,
  verifyReceiptMatchesOffer,
  verifyReceiptSignatureJWS,
} from "@x402/extensions/offer-receipt"
import { wrapFetchWithPayment, x402Client } from "@x402/fetch"
import express from "express"
import Koa from "koa"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import {
  payingFetch,
  sandboxWallet,
  type Wallet,
  x402Buyer,
  type X402Keys,
  x402Payer,
  type X402Receipt,
  x402Trust,
} from "../../adapters/http/client/entry.ts"
import {
  type PaymentTerms,
  requirePayment,
  x402Server,
  type X402Signer,
  x402Signer,
} from "../../adapters/http/paid/402.ts"
import { activeService, type App, startApp } from "../support/app.ts"

let app: App
let service: string
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  service = await activeService(app)
})
afterAll(() => app.stop())

const budget = { currency: "USD", perCall: 100, total: 1_000, mostPayments: 20 }
const buyerOptions = () => ({ baseUrl: app.url, apiKey: app.buyer.api_key.key })

const ed25519 = generateKeyPairSync("ed25519").privateKey
const p256 = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey

const publicOf = (key: typeof ed25519) => createPublicKey(key).export({ format: "jwk" })

/** Trusts one key under one name. */
const trusting =
  ({ kid }: X402Signer, key: typeof ed25519): X402Keys =>
  (said) =>
    said === kid ? publicOf(key) : undefined

const openDoor = async (signer: X402Signer, said: Pick<PaymentTerms, "capture"> = {}) => {
  const payport = { baseUrl: app.url, apiKey: app.seller.api_key.key }
  const amount = { currency: "USD", value: 25 }
  const koa = new Koa()
  koa.use(requirePayment({ payport, service, amount, x402: { signer }, ...said }))
  koa.use((context) => {
    context.body = { report: "7" }
  })
  const server = koa.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/reports/7`
}

/** Another team's server at our facilitator, with the extension of the reference package. */
const openShop = async (signer: X402Signer) => {
  const headers = { Authorization: `Bearer ${app.seller.api_key.key}` }
  const createAuthHeaders = () => Promise.resolve({ verify: headers, settle: headers })
  const facilitator = new HTTPFacilitatorClient({ url: `${app.url}/v1/x402`, createAuthHeaders })
  const issuer = createJWSOfferReceiptIssuer(signer.kid, signer)
  const server = new x402ResourceServer(facilitator)
    .register("payport:*", x402Server())
    .registerExtension(createOfferReceiptExtension(issuer))
  const accepts = {
    scheme: "exact",
    network: "payport:sandbox",
    payTo: service,
    price: "$0.25",
  } as const
  const extensions = declareOfferReceiptExtension({ includeTxHash: true })
  const shop = express()
  shop.use(paymentMiddleware({ "GET /reports/:id": { accepts, extensions } }, server))
  shop.get("/reports/:id", (request, response) => void response.json({ report: request.params.id }))
  const listening = shop.listen(0, "127.0.0.1")
  await once(listening, "listening")
  onTestFinished(() => void listening.close())
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}/reports/7`
}

type Send = (request: Request) => Promise<Response>

const atDoor = (send: Send) => {
  const payer = x402Payer(send, sandboxWallet(buyerOptions()), budget)
  const client = new x402Client().register("payport:*", payer.scheme)
  return wrapFetchWithPayment(payer.fetch, client)
}

describe.each([
  ["Ed25519", ed25519],
  ["P-256", p256],
])("offers and receipts of our paid endpoint, signed with %s", (_, key) => {
  test("hold for the reference package", async () => {
    const signer = x402Signer(key)
    const url = await openDoor(signer)
    const unpaid = await fetch(url)
    const required = decodePaymentRequiredHeader(unpaid.headers.get("PAYMENT-REQUIRED") ?? "")
    const signed = extractOffersFromPaymentRequired(required)
    const [offer] = decodeSignedOffers(signed)
    if (offer === undefined) throw new Error("Nothing was offered.")
    const found = await verifyOfferSignatureJWS(signed[0] as JWSSignedOffer)
    expect(found).toMatchObject({ version: 1, resourceUrl: url, amount: "25", asset: "USD" })
    expect(findAcceptsObjectFromSignedOffer(offer, required.accepts)).toEqual(required.accepts[0])
    expect(offer.validUntil * 1000).toBeGreaterThan(Date.now())

    const answered = await atDoor(fetch)(url)
    const receipt = extractReceiptFromResponse(answered)
    if (receipt === undefined) throw new Error("There is no receipt.")
    const { payer } = await verifyReceiptSignatureJWS(receipt as JWSSignedReceipt)
    expect(verifyReceiptMatchesOffer(receipt, offer, [payer])).toBe(true)
    expect(verifyReceiptMatchesOffer(receipt, offer, ["somebody else"])).toBe(false)
  })

  test("are paid and kept by a buyer that trusts the key, and by no other", async () => {
    const signer = x402Signer(key, "did:web:shop.example#key-1")
    const url = await openDoor(signer)
    const kept: Array<X402Receipt> = []
    const keep = (receipt: X402Receipt) => void kept.push(receipt)
    const buying = atDoor(x402Trust(fetch, { keys: trusting(signer, key), keep }))
    expect((await buying(url)).status).toBe(200)
    expect(kept).toMatchObject([{ resourceUrl: url, network: "payport:sandbox" }])
    const stranger = x402Trust(fetch, { keys: () => undefined })
    await expect(atDoor(stranger)(url)).rejects.toThrow("not signed by a trusted seller")
  })
})

describe("a 402 that somebody between seller and buyer has changed", () => {
  const signer = x402Signer(ed25519, "did:web:shop.example#key-1")

  /** Has the buyer asked for the payment of another seller. */
  const stealing =
    (change: (required: { accepts: Array<{ extra: object }> }, id: string) => void): Send =>
    async (request) => {
      const response = await fetch(request)
      if (response.status !== 402) return response
      const { json } = await app.call("POST", "/v1/payment-challenges", {
        key: app.seller.api_key.key,
        body: { service_id: service, amount: { currency: "USD", value: 25 }, resource: "stolen" },
      })
      const stolen = json["payment_intent"] as { readonly id: string }
      const headers = new Headers(response.headers)
      const required = decodePaymentRequiredHeader(headers.get("PAYMENT-REQUIRED") ?? "")
      change(required, stolen.id)
      headers.delete("Content-Length")
      headers.delete("X-Payment-QR")
      headers.set("X-Payment-Intent", stolen.id)
      headers.set("PAYMENT-REQUIRED", btoa(JSON.stringify(required)))
      return new Response(JSON.stringify({ payment_intent: stolen }), { status: 402, headers })
    }

  const PAYING: { readonly [name: string]: (send: Send, wallet: Wallet, url: URL) => Send } = {
    payingFetch: (send, wallet, { host }) => payingFetch(send, wallet, { budget, hosts: [host] }),
    x402Payer: (send, wallet) => {
      const payer = x402Payer(send, wallet, budget)
      return wrapFetchWithPayment(payer.fetch, new x402Client().register("payport:*", payer.scheme))
    },
  }

  test.each([
    ["payingFetch", undefined],
    ["payingFetch", "later"],
    ["x402Payer", undefined],
  ] as const)("is not paid by %s at a paywall that captures %s", async (name, capture) => {
    const url = new URL(await openDoor(signer, capture === undefined ? {} : { capture }))
    const orders: Array<string> = []
    const { pay } = sandboxWallet(buyerOptions())
    const wallet: Wallet = {
      pay: (order) => {
        orders.push(order.id)
        return pay(order)
      },
    }
    const keys = trusting(signer, ed25519)
    const buying = (send: Send) => {
      const trusted = x402Trust(send, { keys })
      return (PAYING[name] ?? expect.unreachable())(trusted, wallet, url)(new Request(url))
    }
    const thief = stealing((required, id) => {
      for (const way of required.accepts) way.extra = { ...way.extra, payment_intent: id }
    })
    await expect(buying(thief)).rejects.toThrow("not signed by a trusted seller")
    await expect(buying(stealing(() => {}))).rejects.toThrow("not signed by a trusted seller")
    expect(orders).toEqual([])
    expect([(await buying(fetch)).status, orders.length]).toEqual([200, 1])
  })
})

test("a hold is paid as it is signed, beside the payment of the same 402", async () => {
  const signer = x402Signer(ed25519, "did:web:shop.example#key-1")
  const url = await openDoor(signer, { capture: "later" })
  const send = x402Trust(fetch, { keys: trusting(signer, ed25519) })
  const wallet = sandboxWallet(buyerOptions())
  const buyer = x402Buyer(send, { payport: buyerOptions(), wallet, budget })
  const client = new x402Client().register("payport:*", buyer.authCapture)
  expect((await wrapFetchWithPayment(buyer.fetch, client)(url)).status).toBe(200)
})

test("offers and receipts of the reference package hold for our buyer", async () => {
  const signer = x402Signer(ed25519, "did:web:shop.example#key-1")
  const url = await openShop(signer)
  const kept: Array<X402Receipt> = []
  const keep = (receipt: X402Receipt) => void kept.push(receipt)
  const send = x402Trust(fetch, { keys: trusting(signer, ed25519), keep })
  const wallet = sandboxWallet(buyerOptions())
  const buyer = x402Buyer(send, { payport: buyerOptions(), wallet, budget })
  const client = new x402Client().register("payport:*", buyer.scheme)
  expect((await wrapFetchWithPayment(buyer.fetch, client)(url)).status).toBe(200)
  expect(kept).toMatchObject([{ payer: app.buyer.agent_id, resourceUrl: url }])
})

test.each<[string, () => unknown]>([
  ["RSA", () => x402Signer(generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey)],
  ["P-384", () => x402Signer(generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey)],
  ["a public key", () => x402Signer(publicOf(ed25519))],
  ["no PEM", () => x402Signer("a secret")],
])("a signer with %s is refused", (_, make) => {
  expect(make).toThrow()
})

test("a signer takes a key in each of its forms", () => {
  const { kid } = x402Signer(ed25519)
  const pem = ed25519.export({ type: "pkcs8", format: "pem" }) as string
  const jwk = createPrivateKey(pem).export({ format: "jwk" })
  expect([x402Signer(pem).kid, x402Signer(jwk).kid]).toEqual([kid, kid])
  expect(kid).not.toContain(String(jwk.d))
})
