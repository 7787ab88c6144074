import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { HTTPFacilitatorClient, x402ResourceServer } from "@x402/core/server"
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from "@x402/core/http"
import { paymentMiddleware } from "@x402/express"
import {
  appendPaymentIdentifierToExtensions,
  declarePaymentIdentifierExtension,
  generatePaymentId,
  PAYMENT_IDENTIFIER,
  paymentIdentifierResourceServerExtension,
  paymentIdentifierSchema,
  validatePaymentIdentifier,
} from "@x402/extensions/payment-identifier"
import { wrapFetchWithPayment, x402Client } from "@x402/fetch"
import express from "express"
import Koa from "koa"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import {
  makeClient,
  sandboxWallet,
  x402Buyer,
  x402Payer,
} from "../../adapters/http/client/entry.ts"
import { type PaymentTerms, requirePayment, x402Server } from "../../adapters/http/paid/402.ts"
import { activeService, type App, startApp } from "../support/app.ts"

type Send = (request: Request) => Promise<Response>

let app: App
let service: string
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  service = await activeService(app)
})
afterAll(() => app.stop())

const NETWORK = "payport:sandbox"
const price = { currency: "USD", value: 25 }
const budget = { currency: "USD", perCall: 100, total: 1_000, mostPayments: 20 }

const buyerOptions = () => ({ baseUrl: app.url, apiKey: app.buyer.api_key.key })

const paymentsMade = async (): Promise<number> => {
  const { json } = await app.call("GET", "/v1/payment-intents?limit=100")
  const all = json["data"] as ReadonlyArray<{ readonly status: string }>
  return all.filter(({ status }) => ["captured", "succeeded"].includes(status)).length
}

/** A seller's paid endpoint, which says which part of its answer is repeated. */
const openDoor = async (x402: PaymentTerms["x402"]) => {
  const koa = new Koa()
  koa.use(
    requirePayment({
      payport: { baseUrl: app.url, apiKey: app.seller.api_key.key },
      service,
      amount: price,
      ...(x402 !== undefined && { x402 }),
    }),
  )
  koa.use((context) => {
    context.body = context.state["payment"] as object
  })
  const server = koa.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/reports/7`
}

/** Another team's x402 server, which settles at our facilitator by its URL. */
const openShop = async () => {
  const headers = { Authorization: `Bearer ${app.seller.api_key.key}` }
  const createAuthHeaders = () => Promise.resolve({ verify: headers, settle: headers })
  const facilitator = new HTTPFacilitatorClient({ url: `${app.url}/v1/x402`, createAuthHeaders })
  const server = new x402ResourceServer(facilitator)
    .register("payport:*", x402Server())
    .registerExtension(paymentIdentifierResourceServerExtension)
  const accepts = { scheme: "exact", network: NETWORK, payTo: service, price: "$0.25" } as const
  const extensions = { [PAYMENT_IDENTIFIER]: declarePaymentIdentifierExtension(true) }
  const shop = express()
  shop.use(paymentMiddleware({ "GET /reports/:id": { accepts, extensions } }, server))
  shop.get("/reports/:id", (request, response) => void response.json({ report: request.params.id }))
  const listening = shop.listen(0, "127.0.0.1")
  await once(listening, "listening")
  onTestFinished(() => void listening.close())
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}/reports/7`
}

/** x402's own client, which names every purchase so, as its documentation has it. */
const naming = (client: x402Client, id: string): x402Client =>
  client.onBeforePaymentCreation(({ paymentRequired: { extensions } }) => {
    if (extensions !== undefined) appendPaymentIdentifierToExtensions(extensions, id)
    return Promise.resolve()
  })

const atDoor = (id: string, send: Send = fetch) => {
  const payer = x402Payer(send, sandboxWallet(buyerOptions()), budget)
  const client = naming(new x402Client().register("payport:*", payer.scheme), id)
  return wrapFetchWithPayment(payer.fetch, client)
}

const atShop = (id: string, send: Send = fetch) => {
  const wallet = sandboxWallet(buyerOptions())
  const buyer = x402Buyer(send, { payport: buyerOptions(), wallet, budget })
  const client = naming(new x402Client().register("payport:*", buyer.scheme), id)
  return wrapFetchWithPayment(buyer.fetch, client)
}

/** Loses the first answer to a request that shows a payment. */
const losing = (): Send => {
  let losses = 0
  return async (request) => {
    const response = await fetch(request)
    if (!request.headers.has("PAYMENT-SIGNATURE") || losses++ > 0) return response
    throw new TypeError("The connection broke.")
  }
}

const transactionOf = (response: Response) =>
  decodePaymentResponseHeader(response.headers.get("PAYMENT-RESPONSE") ?? "").transaction

describe("at a paid endpoint of ours", () => {
  test("the declaration is that of the reference package", async () => {
    const url = await openDoor({ identifiers: "required" })
    const { headers } = await fetch(url)
    const { extensions } = decodePaymentRequiredHeader(headers.get("PAYMENT-REQUIRED") ?? "")
    const declared = extensions?.[PAYMENT_IDENTIFIER]
    expect(declared).toEqual({ info: { required: true }, schema: paymentIdentifierSchema })
    expect(validatePaymentIdentifier(declared)).toEqual({ valid: true })
  })

  test("a purchase whose answer was lost is told of again, and paid once", async () => {
    const url = await openDoor({ identifiers: "optional" })
    const buying = atDoor(generatePaymentId(), losing())
    const before = await paymentsMade()
    await expect(buying(url)).rejects.toThrow("broke")
    const again = await buying(url)
    expect(await again.json()).toMatchObject({ repeated: true })
    expect(await paymentsMade()).toBe(before + 1)
    const third = await buying(url)
    expect(transactionOf(third)).toBe(transactionOf(again))
    expect(await paymentsMade()).toBe(before + 1)
  })

  test("another client's payment under the same identifier is refused, and not taken", async () => {
    const url = await openDoor({ identifiers: "required" })
    const id = generatePaymentId()
    expect((await atDoor(id)(url)).status).toBe(200)
    const before = await paymentsMade()
    const second = await atDoor(id)(url)
    expect([second.status, await second.json()]).toMatchObject([
      409,
      { code: "PAYMENT_IDENTIFIER_USED" },
    ])
    expect(await paymentsMade()).toBe(before)
  })

  test.each<[string, object | undefined]>([
    ["none", undefined],
    ["no id", { info: { required: true } }],
    ["a short one", { info: { required: true, id: "short" } }],
    ["a long one", { info: { required: true, id: "x".repeat(129) } }],
    ["one with a space", { info: { required: true, id: "purchase 00000001" } }],
    ["a number", { info: { required: true, id: 1234567890123456 } }],
    ["no info", { id: "purchase_00000001" }],
  ])("one that is required and is %s is a bad request", async (_, extension) => {
    const url = await openDoor({ identifiers: "required" })
    const asked = (await (await fetch(url)).json()) as {
      readonly payment_intent: { readonly id: string; readonly token: string }
    }
    const { id, token } = asked.payment_intent
    const shown = {
      x402Version: 2,
      accepted: { scheme: "payport", network: NETWORK },
      payload: { payment_intent: id, token },
      ...(extension !== undefined && { extensions: { [PAYMENT_IDENTIFIER]: extension } }),
    }
    const headers = { "PAYMENT-SIGNATURE": btoa(JSON.stringify(shown)) }
    expect((await fetch(url, { headers })).status).toBe(400)
  })

  test("where none is asked for it means nothing: each payment opens one answer", async () => {
    const url = await openDoor(undefined)
    let signature = ""
    const id = generatePaymentId()
    const send: Send = (request) => {
      signature = request.headers.get("PAYMENT-SIGNATURE") ?? signature
      return fetch(request)
    }
    expect((await atDoor(id, send)(url)).status).toBe(200)
    const shown = JSON.parse(atob(signature)) as object
    const extensions = { [PAYMENT_IDENTIFIER]: { info: { required: false, id } } }
    const headers = { "PAYMENT-SIGNATURE": btoa(JSON.stringify({ ...shown, extensions })) }
    const again = await fetch(url, { headers })
    expect([again.status, ((await again.json()) as { readonly code: string }).code]).toEqual([
      402,
      "PAYMENT_PROOF_USED",
    ])
  })

  test("what is something else under one identifier is not paid by the client", async () => {
    const dear = await openDoor({ identifiers: "optional" })
    const other = await openDoor({ identifiers: "optional" })
    const buying = atDoor(generatePaymentId())
    expect((await buying(dear)).status).toBe(200)
    const before = await paymentsMade()
    await expect(buying(other)).rejects.toThrow("Another purchase")
    expect(await paymentsMade()).toBe(before)
  })
})

describe("at our facilitator, with @x402/express", () => {
  test("it says that it understands them", async () => {
    const { json } = await app.call("GET", "/v1/x402/supported", { key: null })
    expect(json["extensions"]).toContain(PAYMENT_IDENTIFIER)
  })

  test("a purchase whose answer was lost is not paid again", async () => {
    const url = await openShop()
    const buying = atShop(generatePaymentId(), losing())
    const before = await paymentsMade()
    await expect(buying(url)).rejects.toThrow("broke")
    const again = await buying(url)
    expect(again.status).toBe(402)
    expect(await paymentsMade()).toBe(before + 1)
  })

  test("another payment under the same identifier is refused, and not taken", async () => {
    const url = await openShop()
    const id = generatePaymentId()
    expect((await atShop(id)(url)).status).toBe(200)
    const before = await paymentsMade()
    const second = await atShop(id)(url)
    const { error } = decodePaymentRequiredHeader(second.headers.get("PAYMENT-REQUIRED") ?? "")
    expect([second.status, error]).toEqual([402, "payment_identifier_conflict"])
    expect(await paymentsMade()).toBe(before)
    expect((await atShop(generatePaymentId())(url)).status).toBe(200)
  })

  test("ten payments that are settled under one identifier at once take money once", async () => {
    const id = generatePaymentId()
    const { facilitator } = makeClient(buyerOptions())
    const resource = "https://shop.example/reports/7"
    const required = {
      scheme: "exact",
      network: NETWORK,
      amount: "25",
      asset: "USD",
      payTo: service,
      maxTimeoutSeconds: 300,
      extra: { resource },
    }
    const settle = async () => {
      const begun = await facilitator.pay({ service_id: service, amount: price, resource })
      const { token, ...order } = begun.payment_intent
      await sandboxWallet(buyerOptions()).pay({ ...order, origin: "https://shop.example" })
      const paymentPayload = {
        x402Version: 2,
        accepted: required,
        payload: { payment_intent: order.id, token },
        extensions: { [PAYMENT_IDENTIFIER]: { info: { required: false, id } } },
      }
      return { x402Version: 2, paymentPayload, paymentRequirements: required }
    }
    const bodies = await Promise.all(Array.from({ length: 10 }, settle))
    const before = await paymentsMade()
    const told = await Promise.all(
      bodies.map((body) => app.call("POST", "/v1/x402/settle", { body })),
    )
    const reasons = told.map(({ json }) => json["errorReason"] ?? "settled")
    expect(reasons.filter((reason) => reason === "settled")).toHaveLength(1)
    expect(new Set(reasons)).toEqual(new Set(["settled", "payment_identifier_conflict"]))
    expect(await paymentsMade()).toBe(before + 1)
  })

  test("an identifier that has no form is no payment", async () => {
    const extensions = { [PAYMENT_IDENTIFIER]: { info: { required: false, id: "short" } } }
    const required = {
      scheme: "exact",
      network: NETWORK,
      amount: "25",
      asset: "USD",
      payTo: service,
      maxTimeoutSeconds: 300,
      extra: { resource: "https://shop.example/" },
    }
    const payload = { payment_intent: "pi_1", token: "x" }
    const paymentPayload = { x402Version: 2, accepted: required, payload, extensions }
    const body = { x402Version: 2, paymentPayload, paymentRequirements: required }
    const { json } = await app.call("POST", "/v1/x402/verify", { body })
    expect(json["invalidReason"]).toBe("invalid_payment_identifier")
  })
})
