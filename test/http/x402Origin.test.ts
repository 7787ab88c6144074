import express from "express"
import { wrapFetchWithPayment, x402Client } from "@x402/fetch"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import {
  mppPayer,
  payingFetch,
  PaymentRefused,
  sandboxWallet,
  type Wallet,
  type WalletOrder,
  x402Buyer,
  type X402BuyerOptions,
  x402Payer,
} from "../../adapters/http/client/entry.ts"
import { formatChallenge, requestText } from "../../adapters/http/client/MppChallenge.ts"
import { type PaymentTerms, type Paywall, requirePayment } from "../../adapters/http/paid/402.ts"
import { activeService, type App, startApp } from "../support/app.ts"
import { Listening } from "../support/listening.ts"

type Send = (request: Request) => Promise<Response>
type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

const SOLD = "https://shop.example/report"
const BUDGET = { currency: "USD", perCall: 100, total: 1_000 }

const listening = new Listening()
let app: App
let service: string
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  service = await activeService(app)
})
afterAll(async () => {
  await listening.close()
  await app.stop()
})

const wallOf = (said: Partial<PaymentTerms> = {}): Paywall =>
  requirePayment({
    payport: { baseUrl: app.url, apiKey: app.seller.api_key.key },
    service,
    amount: { currency: "USD", value: 25 },
    ...said,
  })

/** A wallet of the sandbox, and what it was asked to pay. */
const aWallet = () => {
  const orders: Array<WalletOrder> = []
  const { pay } = sandboxWallet({ baseUrl: app.url, apiKey: app.buyer.api_key.key })
  const wallet: Wallet = {
    pay: (order) => {
      orders.push(order)
      return pay(order)
    },
  }
  return { orders, wallet }
}

const aBuyer = (send: Send = fetch, said: Pick<X402BuyerOptions, "origins"> = {}) => {
  const { orders, wallet } = aWallet()
  const payport = { baseUrl: app.url, apiKey: app.buyer.api_key.key }
  const buyer = x402Buyer(send, { payport, wallet, budget: BUDGET, ...said })
  const client = new x402Client().register("payport:*", buyer.upto)
  return { buyer, orders, paying: wrapFetchWithPayment(buyer.fetch, client) }
}

/** How many payments there are. */
const count = async (): Promise<number> =>
  ((await app.call("GET", "/v1/payment-intents")).json["data"] as ReadonlyArray<unknown>).length

/** A server that answers every request as the shop would at its own address. */
const relayed = (to = SOLD): Send => {
  const wall = wallOf({ capture: "used" })
  return (request) =>
    wall.fetch(new Request(to, { headers: request.headers }), ({ charge }) => {
      charge?.(10)
      return Response.json({ useful: true })
    })
}

const refusal = async (refused: Promise<unknown>): Promise<string> => {
  const error = await refused.catch((thrown: unknown) => thrown)
  if (!(error instanceof PaymentRefused)) throw new Error("It was not refused.", { cause: error })
  return error.reason
}

describe("a buyer of x402", () => {
  test("has its wallet told the origin that it has asked", async () => {
    const { orders, paying } = aBuyer(relayed())
    expect((await paying(SOLD)).status).toBe(200)
    expect(orders).toMatchObject([{ origin: "https://shop.example" }])
  })

  test.each([
    ["another host", "https://evil.example/report", SOLD],
    ["another port", "https://shop.example:8443/report", SOLD],
    ["a connection without TLS", "http://shop.example/report", SOLD],
    ["the address of a blob", "https://shop.example/report", `blob:${SOLD}`],
  ])("pays no 402 for its seller from %s", async (_, asked, to) => {
    const required = (await relayed()(new Request(SOLD))).headers.get("PAYMENT-REQUIRED") ?? ""
    const forged = btoa(atob(required).replaceAll(SOLD, to))
    const { orders, paying } = aBuyer(() =>
      Promise.resolve(new Response(null, { status: 402, headers: { "PAYMENT-REQUIRED": forged } })),
    )
    const before = await count()
    expect(await refusal(paying(asked))).toBe("origin")
    expect([orders, await count()]).toEqual([[], before])
  })

  test("pays no tool that a 402 names", async () => {
    const required = (await relayed()(new Request(SOLD))).headers.get("PAYMENT-REQUIRED") ?? ""
    const forged = btoa(atob(required).replaceAll(SOLD, "mcp://tool/pay"))
    const { orders, paying } = aBuyer(() =>
      Promise.resolve(new Response(null, { status: 402, headers: { "PAYMENT-REQUIRED": forged } })),
    )
    expect(await refusal(paying(SOLD))).toBe("origin")
    expect(orders).toEqual([])
  })

  const TOOL = "mcp://tool/pay"
  const others = (length: number) => Array.from({ length }, () => ({ scheme: "other" }))

  test.each<[string, (way: object) => ReadonlyArray<unknown>, string]>([
    ["after 20 others", (way) => [...others(20), way], "malformed"],
    ["after 19 others", (way) => [...others(19), way], "origin"],
    ["with a number as its amount", (way) => [{ ...way, amount: 25 }], "origin"],
    ["on another network", (way) => [{ ...way, network: "other:1" }, way], "origin"],
  ])("pays no tool that a 402 names %s", async (_, waysOf, reason) => {
    const answer = await relayed()(new Request(SOLD))
    const text = atob(answer.headers.get("PAYMENT-REQUIRED") ?? "").replaceAll(SOLD, TOOL)
    const required = JSON.parse(text) as { readonly accepts: ReadonlyArray<object> }
    const accepts = waysOf(required.accepts[0] ?? expect.unreachable())
    const headers = { "PAYMENT-REQUIRED": btoa(JSON.stringify({ ...required, accepts })) }
    const { orders, paying } = aBuyer(() =>
      Promise.resolve(new Response(null, { status: 402, headers })),
    )
    expect(await refusal(paying(SOLD))).toBe(reason)
    expect(orders).toEqual([])
  })

  test.each(["", "A", "%"])("pays no tool of a 402 that others may read (%s)", async (more) => {
    const required = (await relayed()(new Request(SOLD))).headers.get("PAYMENT-REQUIRED") ?? ""
    // The reference client decodes more than base64: it ignores a letter too many.
    const forged = btoa(atob(required).replaceAll(SOLD, TOOL)).replaceAll("=", "") + more
    const { orders, paying } = aBuyer(() =>
      Promise.resolve(new Response(null, { status: 402, headers: { "PAYMENT-REQUIRED": forged } })),
    )
    expect(["malformed", "origin"]).toContain(await refusal(paying(SOLD)))
    expect(orders).toEqual([])
  })

  test("pays nothing that no request of its own was asked for", async () => {
    const { buyer, orders } = aBuyer()
    const asked = buyer.scheme.createPaymentPayload(2, {
      scheme: "exact",
      network: "payport:sandbox",
      amount: "25",
      asset: "USD",
      payTo: service,
      extra: { resource: SOLD },
    })
    expect([await refusal(asked), orders]).toEqual(["origin", []])
  })

  test("pays a shop that does not know of the TLS before it", async () => {
    const { orders, paying } = aBuyer(relayed("http://shop.example/report"))
    expect((await paying(SOLD)).status).toBe(200)
    expect(orders).toMatchObject([{ origin: "https://shop.example" }])
  })

  test("pays for another origin where that is allowed to the one that asks", async () => {
    const origins = { "https://front.example": ["https://shop.example"] }
    const { orders, paying } = aBuyer(relayed(), { origins })
    expect((await paying("https://front.example/report")).status).toBe(200)
    expect(orders).toMatchObject([{ origin: "https://front.example" }])
    expect(await refusal(paying("https://evil.example/report"))).toBe("origin")
    expect(orders).toHaveLength(1)
  })

  test("pays after a redirect within the origin", async () => {
    const shop = express()
    shop.get("/old", (_, response) => response.redirect(307, "/new"))
    shop.use(wallOf({ capture: "used" }).node)
    shop.get("/new", (_, response) => void response.json({ useful: true }))
    const url = await listening.open((request, response) => void shop(request, response))
    const { orders, paying } = aBuyer()
    const response = await paying(`${url}/old`)
    expect([response.status, await response.json()]).toEqual([200, { useful: true }])
    expect(orders).toMatchObject([{ origin: url }])
  })
})

test("a buyer of MPP pays no tool that a 402 names, by whatever realm", async () => {
  const { orders, wallet } = aWallet()
  const methodDetails = { service_id: service, resource: "mcp://tool/pay" }
  const request = { amount: "25", currency: "usd", methodDetails }
  const challenge = { id: "1", realm: "trusted.example", method: "payport", intent: "charge" }
  const asked = formatChallenge({ ...challenge, request: requestText(request) })
  const headers = { "WWW-Authenticate": asked }
  const send = () => Promise.resolve(new Response(null, { status: 402, headers }))
  const account = { baseUrl: app.url, apiKey: app.buyer.api_key.key }
  const payer = mppPayer(send, wallet, BUDGET, { account })
  expect((await payer.fetch("https://evil.example")).status).toBe(402)
  const [charge] = payer.methods
  const paid = charge?.createCredential({ challenge: { ...challenge, request } })
  expect([await refusal(paid ?? expect.unreachable()), orders]).toEqual(["malformed", []])
})

const BUYERS: { readonly [name: string]: (wallet: Wallet, host: string) => Fetch } = {
  x402Buyer: (wallet) => {
    const payport = { baseUrl: app.url, apiKey: app.buyer.api_key.key }
    return x402Buyer(fetch, { payport, wallet, budget: BUDGET }).fetch
  },
  x402Payer: (wallet) => x402Payer(fetch, wallet, BUDGET).fetch,
  mppPayer: (wallet) => mppPayer(fetch, wallet, BUDGET).fetch,
  payingFetch: (wallet, host) => payingFetch(fetch, wallet, { budget: BUDGET, hosts: [host] }),
}

test.each(Object.keys(BUYERS))(
  "%s pays no seller to whom another origin has redirected, and that would see the proof",
  async (name) => {
    const shop = express()
    shop.use("/used", wallOf({ capture: "used" }).node)
    shop.use(wallOf().node)
    const url = await listening.open((request, response) => void shop(request, response))
    const path = name === "x402Buyer" ? "/used" : "/sold"
    const evil = await listening.open((_, response) =>
      response.writeHead(307, { Location: `${url}${path}` }).end(),
    )
    const { orders, wallet } = aWallet()
    const asking = BUYERS[name]?.(wallet, new URL(url).host) ?? expect.unreachable()
    expect(await refusal(asking(`${evil}/sold`))).toBe("host")
    expect(orders).toEqual([])
  },
)
