import { Mppx } from "mppx/client"
import { mppPayer, sandboxWallet, type WalletOrder } from "../../adapters/http/client/entry.ts"
import { type Paywall, requireSession, type SessionTerms } from "../../adapters/http/paid/402.ts"
import { type App } from "./app.ts"

/** An endpoint of a seller. */
export type Endpoint = Paywall | ((request: Request) => Response | Promise<Response>)

let clients = 0

/** Returns the name of a client that nobody else has, so that no limit is reached. */
export const newClient = (): string => `payer ${clients++}`

/** Sellers of sessions and their payers, at a running service. */
export const sellSessions = (app: App, service: string) => {
  const walled = (said: Partial<SessionTerms> = {}): Paywall =>
    requireSession({
      payport: { baseUrl: app.url, apiKey: app.seller.api_key.key },
      service,
      price: 100,
      deposit: { currency: "USD", value: 500 },
      realm: "Papers",
      ...said,
    })

  /** A payer of an origin with these endpoints, and the reference client for it, unchanged. */
  const payingAt = (
    endpoints: { [path: string]: Endpoint },
    pay: (order: WalletOrder, wallet: ReturnType<typeof sandboxWallet>) => Promise<void> = (
      order,
      wallet,
    ) => wallet.pay(order),
  ) => {
    const wallet = sandboxWallet({ baseUrl: app.url, apiKey: app.buyer.api_key.key })
    const orders: Array<string> = []
    const sent: Array<string> = []
    /** What is done with a response on its way. */
    const way = { pass: (response: Response) => response }
    const payer = mppPayer(
      async (request) => {
        const { pathname } = new URL(request.url)
        const isShown = request.headers.get("Authorization")?.startsWith("Payment ") === true
        sent.push(`${request.method} ${pathname}${isShown ? " paying" : ""}`)
        const endpoint = endpoints[pathname]
        if (endpoint === undefined) return new Response(null, { status: 404 })
        const response =
          "fetch" in endpoint
            ? await endpoint.fetch(request, () => Response.json({}), newClient())
            : await endpoint(request)
        return way.pass(response)
      },
      { pay: (order) => (orders.push(order.id), pay(order, wallet)) },
      { currency: "USD", perCall: 1_000, total: 100_000, mostPayments: 50 },
    )
    const { fetch } = Mppx.create({ ...payer, polyfill: false })
    const get = async (path: string, init?: RequestInit) =>
      fetch(`https://api.example${path}`, init)
    /** What the seller holds, or will. */
    const held = async () => {
      const kept = [...new Set(orders)].map(async (id) => {
        const { json } = await app.call("GET", `/v1/payment-intents/${id}`)
        const { amount, status } = json as { amount: { value: number }; status: string }
        const refunds = await app.call("GET", `/v1/refunds?payment_intent=${id}`)
        const back = refunds.json["data"] as ReadonlyArray<{ amount: { value: number } }>
        return status === "voided"
          ? 0
          : back.reduce((sum, one) => sum - one.amount.value, amount.value)
      })
      return (await Promise.all(kept)).reduce((sum, one) => sum + one, 0)
    }
    return { close: payer.close, get, held, orders, payer, sent, way }
  }

  return { payingAt, walled }
}
