import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { HTTPFacilitatorClient, x402ResourceServer } from "@x402/core/server"
import { paymentMiddleware, setSettlementOverrides } from "@x402/express"
import { wrapFetchWithPayment, x402Client } from "@x402/fetch"
import express, { type Express } from "express"
import { afterAll, beforeAll } from "vitest"
import {
  makeClient,
  sandboxWallet,
  x402Buyer,
  type X402BuyerScheme,
} from "../../adapters/http/client/entry.ts"
import { x402Facilitator, x402Server } from "../../adapters/http/paid/402.ts"
import { activeService, type App, startApp } from "./app.ts"

type Facilitators = ConstructorParameters<typeof x402ResourceServer>[0]

const NETWORK = "payport:sandbox"

/** The resource of direct requests to the facilitator. */
export const RESOURCE = "https://shop.example/tokens"

export const usd = (value: number) => ({ currency: "USD", value })

/** The x402 schemes that charge a used part of the authorized amount. */
export type MeteredScheme = "auth-capture" | "upto"

/** A request to the facilitator with a payload. */
export interface Asked {
  /** Other fields of the requirements. */
  readonly other?: object
  /** The most that is authorized, in minor units; 25 unless it is said. */
  readonly most?: string
  /** The action of `auth-capture`. */
  readonly type?: string | undefined
  readonly headers?: { readonly [name: string]: string }
}

/**
 * An app for the tests of a file, servers of the x402 packages that sell by use in a scheme, and a
 * buyer with a wallet of the sandbox.
 */
export const meteredShops = (scheme: MeteredScheme) => {
  let app: App
  let service = ""
  let banked = ""
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

  const buyerOptions = () => ({ baseUrl: app.url, apiKey: app.buyer.api_key.key })

  /**
   * Opens a server that charges as a request to `/tokens/:used` says, and counts these requests at
   * `/served`. `more` adds routes.
   */
  const openShop = async (
    facilitator: Facilitators,
    more: (priced: {
      readonly network: typeof NETWORK
      readonly payTo: string
      readonly price: "$0.25"
    }) => { readonly routes: object; readonly serve: (shop: Express) => void },
  ) => {
    const priced = { network: NETWORK, payTo: service, price: "$0.25" } as const
    const server = new x402ResourceServer(facilitator)
      .register("payport:*", x402Server())
      .register("payport:*", x402Server({ scheme }))
    const shop = express()
    const { routes, serve } = more(priced)
    const tokens = {
      "GET /tokens/:used": { accepts: { scheme, ...priced }, description: "Tokens" },
    }
    shop.use(paymentMiddleware({ ...tokens, ...routes }, server))
    let served = 0
    shop.get("/served", (_request, response) => void response.json(served))
    shop.get("/tokens/:used", (request, response) => {
      served += 1
      const { used } = request.params
      if (used !== "all") setSettlementOverrides(response, { amount: used })
      response.json({ used })
    })
    serve(shop)
    const listening = shop.listen(0, "127.0.0.1")
    await once(listening, "listening")
    shops.push(listening)
    return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`
  }

  /** The facilitator as a server knows it that has its URL and a key alone. */
  const byUrl = () => {
    const headers = { Authorization: `Bearer ${app.seller.api_key.key}` }
    const createAuthHeaders = () => Promise.resolve({ verify: headers, settle: headers })
    return new HTTPFacilitatorClient({ url: `${app.url}/v1/x402`, createAuthHeaders })
  }

  /** The facilitator by our own client of it. */
  const byClient = () => x402Facilitator({ baseUrl: app.url, apiKey: app.seller.api_key.key })

  /** Returns a `fetch` that pays. */
  const buying = (asking: (request: Request) => Promise<Response> = fetch) => {
    const wallet = sandboxWallet(buyerOptions())
    const budget = { currency: "USD", perCall: 100, total: 1_000 }
    const buyer = x402Buyer(asking, { payport: buyerOptions(), wallet, budget })
    const metered: X402BuyerScheme = scheme === "upto" ? buyer.upto : buyer.authCapture
    const client = new x402Client()
      .register("payport:*", buyer.scheme)
      .register("payport:*", metered)
    return wrapFetchWithPayment(buyer.fetch, client)
  }

  const seen = async (id: string) => (await app.call("GET", `/v1/payment-intents/${id}`)).json

  /** A payment of 25 cents that its buyer has authorized. */
  const authorized = async (service_id = service) => {
    const { facilitator } = makeClient(buyerOptions())
    const order = { service_id, amount: usd(25), resource: RESOURCE }
    const { payment_intent } = await facilitator.pay(order)
    await sandboxWallet(buyerOptions()).pay({ ...payment_intent, origin: "https://shop.example" })
    return payment_intent
  }

  /** Returns the facilitator's answer to a server that charges this amount of a payment. */
  const ask = async (
    verb: "settle" | "verify",
    { id, token }: Awaited<ReturnType<typeof authorized>>,
    amount: string,
    { headers = {}, most = "25", other = {}, type }: Asked = {},
  ) => {
    const required = {
      scheme,
      network: NETWORK,
      asset: "USD",
      payTo: service,
      maxTimeoutSeconds: 300,
      extra: { resource: RESOURCE },
      ...other,
    }
    const payload = { payment_intent: id, token, ...(type !== undefined && { type }) }
    const accepted = { ...required, amount: most }
    const { json } = await app.call("POST", `/v1/x402/${verb}`, {
      key: app.seller.api_key.key,
      headers,
      body: {
        x402Version: 2,
        paymentPayload: { x402Version: 2, accepted, payload },
        paymentRequirements: { ...required, amount },
      },
    })
    return json
  }

  return {
    app: () => app,
    /** The service of a channel that captures parts. */
    service: () => service,
    /** The service of a channel that captures no parts. */
    banked: () => banked,
    ask,
    authorized,
    buying,
    byClient,
    byUrl,
    openShop,
    seen,
  }
}
