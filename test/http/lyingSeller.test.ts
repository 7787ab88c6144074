import { afterAll, beforeAll, describe, expect, test } from "vitest"
import {
  mppPayer,
  payingFetch,
  sandboxWallet,
  type WalletOrder,
  x402Payer,
} from "../../adapters/http/client/entry.ts"
import { formatChallenge, requestText } from "../../adapters/http/client/MppChallenge.ts"
import { activeService, type App, startApp } from "../support/app.ts"

let app: App
let service: string
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  service = await activeService(app)
})
afterAll(() => app.stop())

const budget = { currency: "USD", perCall: 1, total: 1 }
const claimed = { currency: "USD", value: 1 }
const at = "https://seller.example/x"

const walletOf = () => sandboxWallet({ baseUrl: app.url, apiKey: app.buyer.api_key.key })

type Demanded = Omit<WalletOrder, "origin"> & { readonly token: string }

/** A payment of 500 dollars, of which the seller says that it is one of a cent. */
const demanded = async (amount: object = claimed): Promise<Demanded> => {
  const { json, status } = await app.call("POST", "/v1/payment-challenges", {
    body: { service_id: service, amount: { currency: "USD", value: 50_000 }, resource: "GET /x" },
  })
  expect(status).toBe(201)
  return { ...(json["payment_intent"] as Demanded), amount: amount as Demanded["amount"] }
}

const challengeOf = ({ id }: Demanded) => {
  const request = { amount: "1", currency: "usd", methodDetails: { payment_intent: id } }
  const named = { id: "c1", realm: "seller.example", method: "payport", intent: "charge" }
  return { ...named, request: requestText(request) }
}

const answering = (payment_intent: Demanded) => (request: Request) =>
  Promise.resolve(
    request.headers.has("X-Payment-Token")
      ? new Response("thanks")
      : Response.json(
          { payment_intent },
          { status: 402, headers: { "X-Payment-Intent": payment_intent.id } },
        ),
  )

const isUnpaid = async ({ id }: Demanded): Promise<void> => {
  const { json } = await app.call("GET", `/v1/payment-intents/${id}`)
  expect(json).toMatchObject({ status: "qr_generated", amount: { value: 50_000 } })
}

const DECLINED = {
  name: "PaymentDeclined",
  message: "The payment is about 50000 USD, in minor units, not 1 USD. Nothing was done.",
}

describe("a seller that says another amount than its payment has is not paid", () => {
  test("by payingFetch", async () => {
    const payment = await demanded()
    const options = { budget, hosts: ["seller.example"] }
    const paying = payingFetch(answering(payment), walletOf(), options)
    await expect(paying(at)).rejects.toMatchObject(DECLINED)
    expect(paying.spent().value).toBe(0)
    await isUnpaid(payment)
  })

  test("by x402Payer", async () => {
    const payment = await demanded()
    const payer = x402Payer(answering(payment), walletOf(), budget)
    await payer.fetch(at)
    const extra = { payment_intent: payment.id }
    const required = { amount: "1", asset: "USD", payTo: "seller", extra }
    await expect(payer.scheme.createPaymentPayload(2, required)).rejects.toMatchObject(DECLINED)
    await isUnpaid(payment)
  })

  test("by mppPayer", async () => {
    const payment = await demanded()
    const challenge = challengeOf(payment)
    const headers = { "WWW-Authenticate": formatChallenge(challenge) }
    const asks = () =>
      Promise.resolve(Response.json({ payment_intent: payment }, { status: 402, headers }))
    const payer = mppPayer(asks, walletOf(), budget)
    await payer.fetch(at)
    const [method] = payer.methods
    const request = { amount: "1", currency: "usd", methodDetails: { payment_intent: payment.id } }
    await expect(
      method?.createCredential({ challenge: { ...challenge, request } }),
    ).rejects.toMatchObject(DECLINED)
    await isUnpaid(payment)
  })
})

describe("the sandbox's wallet", () => {
  test("pays no other currency than the order's", async () => {
    const { token: _, ...order } = await demanded({ currency: "EUR", value: 50_000 })
    await expect(walletOf().pay({ ...order, origin: at })).rejects.toMatchObject({
      name: "PaymentDeclined",
    })
  })

  test("pays an order once, and says so each time that it is asked", async () => {
    const { token: _, ...order } = await demanded({ currency: "USD", value: 50_000 })
    const wallet = walletOf()
    await wallet.pay({ ...order, origin: at })
    await expect(wallet.pay({ ...order, origin: at })).resolves.toBeUndefined()
    const { json } = await app.call("GET", `/v1/payment-intents/${order.id}`)
    expect(json["status"]).toBe("authorized")
  })
})
