import { Mppx } from "mppx/client"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import {
  mppPayer,
  PaymentDeclined,
  sandboxWallet,
  type Wallet,
  x402Payer,
} from "../../adapters/http/client/entry.ts"
import { requestText } from "../../adapters/http/client/MppChallenge.ts"
import type { WalletOrder } from "../../adapters/http/client/PaymentDemand.ts"
import { requirePayment } from "../../adapters/http/paid/402.ts"
import { activeService, type App, startApp } from "../support/app.ts"

let app: App
let service: string
let url: string
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  service = await activeService(app)
  url = `${app.url}/v1/sandbox/paid/${service}`
})
afterAll(() => app.stop())

const budget = { currency: "USD", perCall: 1_000, total: 10_000, mostPayments: 10 }
const account = () => ({ baseUrl: app.url, apiKey: app.buyer.api_key.key })

type Outcome = "paid" | "lost" | "silent" | "declined" | "thrown"

/**
 * A wallet whose payments end so, in turn. Of a lost one the answer is lost, not the payment; a
 * thrown one is no promise.
 */
const walletOf = (...outcomes: ReadonlyArray<Outcome>) => {
  const sandbox = sandboxWallet(account())
  const left = [...outcomes]
  const asked: Array<string> = []
  const payAs = async (outcome: Outcome, order: WalletOrder) => {
    if (outcome === "declined") throw new PaymentDeclined("Not now.")
    if (outcome !== "silent") await sandbox.pay(order)
    if (outcome !== "paid") throw new Error("The answer was lost.")
  }
  const pay: Wallet["pay"] = (order) => {
    asked.push(order.id)
    const outcome = left.shift() ?? "paid"
    if (outcome === "thrown") throw new Error("It is not a promise.")
    return payAs(outcome, order)
  }
  return { asked, wallet: { pay } }
}

describe("a payment without a clear outcome", () => {
  const byMpp = (wallet: Wallet) => {
    const payer = mppPayer(fetch, wallet, budget, { patience: 5_000 })
    return Mppx.create({ ...payer, polyfill: false }).fetch
  }

  test.each(["lost", "silent"] as const)("is what mppPayer asks for again: %s", async (first) => {
    const { asked, wallet } = walletOf(first)
    const paying = byMpp(wallet)
    await expect(paying(url)).rejects.toMatchObject({ name: "PaymentUnresolved" })
    const response = await paying(url)
    expect(await response.json()).toMatchObject({ payment_intent: asked[0] })
    expect(asked).toEqual([asked[0], asked[0]])
    // What comes after it is another purchase.
    expect((await paying(url)).status).toBe(200)
    expect(new Set(asked).size).toBe(2)
  })

  test("is followed by another one after mppPayer's wallet has declined it", async () => {
    const { asked, wallet } = walletOf("silent", "declined")
    const paying = byMpp(wallet)
    await expect(paying(url)).rejects.toMatchObject({ name: "PaymentUnresolved" })
    await expect(paying(url)).rejects.toMatchObject({ name: "PaymentDeclined" })
    expect((await paying(url)).status).toBe(200)
    expect([asked[0] === asked[1], asked[1] === asked[2]]).toEqual([true, false])
  })

  test("pays nothing at another address", async () => {
    const { asked, wallet } = walletOf("lost")
    const paying = byMpp(wallet)
    await expect(paying(url)).rejects.toMatchObject({ name: "PaymentUnresolved" })
    expect((await paying(`${url}?page=2`)).status).toBe(200)
    expect(new Set(asked).size).toBe(2)
  })

  test("is what mppPayer asks for again for a tool", async () => {
    const { asked, wallet } = walletOf("lost")
    const payer = mppPayer(fetch, wallet, budget, { account: account() })
    const details = { service_id: service, resource: "mcp://tool/one" }
    const request = { amount: "5", currency: "usd", methodDetails: details }
    const call = (id: string) => {
      const challenge = { id, realm: "papers", method: "payport", intent: "charge", request }
      return payer.methods[0]!.createCredential({ challenge })
    }
    await expect(call("c1")).rejects.toMatchObject({ name: "PaymentUnresolved" })
    const text = Buffer.from((await call("c2")).replace("Payment ", ""), "base64url").toString()
    expect(JSON.parse(text)).toMatchObject({
      challenge: { id: "c2", request: requestText(request) },
      payload: { payment_intent: asked[0] },
    })
    expect(asked).toEqual([asked[0], asked[0]])
  })

  const byX402 = (wallet: Wallet, fetching: typeof fetch = fetch) => {
    const payer = x402Payer(fetching, wallet, budget)
    return async (at: string, body?: string) => {
      const said = body === undefined ? {} : { method: "POST", body }
      const { headers } = await payer.fetch(at, said)
      const payment_intent = headers.get("X-Payment-Intent")
      const required = { amount: "699", asset: "USD", payTo: service, extra: { payment_intent } }
      return (await payer.scheme.createPaymentPayload(2, required)).payload
    }
  }

  test("is what x402Payer asks for again", async () => {
    const { asked, wallet } = walletOf("lost")
    const pays = byX402(wallet)
    const paying = async (at: string) => (await pays(at)).payment_intent
    await expect(paying(url)).rejects.toThrow("The answer was lost.")
    expect(await paying(`${url}?page=2`)).toBe(asked[1])
    expect(await paying(url)).toBe(asked[0])
    expect(await paying(url)).toBe(asked[3])
    expect(asked[2]).toBe(asked[0])
    expect(new Set(asked).size).toBe(3)
  })

  test("is what x402Payer asks for again where the wallet throws, too", async () => {
    const { asked, wallet } = walletOf("lost", "thrown")
    const paying = byX402(wallet)
    await expect(paying(url)).rejects.toThrow("The answer was lost.")
    await expect(paying(url)).rejects.toThrow("It is not a promise.")
    expect((await paying(url)).payment_intent).toBe(asked[0])
    expect(asked).toEqual([asked[0], asked[0], asked[0]])
  })

  test("pays for no other body, which x402Payer's seller would refuse", async () => {
    const paywall = requirePayment({
      payport: { baseUrl: app.url, apiKey: app.seller.api_key.key },
      service,
      amount: { currency: "USD", value: 699 },
    })
    const requested = (body: string) => ({ method: "POST", url: "https://api.example/ask", body })
    const shop: typeof fetch = async (input, init) => {
      const body = await new Request(input, init).text()
      const verdict = await paywall.check({ ...requested(body), headers: {} })
      return verdict.paid ? new Response() : Response.json(verdict.body, verdict)
    }
    const { asked, wallet } = walletOf("lost")
    const paying = byX402(wallet, shop)
    await expect(paying("https://api.example/ask", "one")).rejects.toThrow("The answer was lost.")
    const bodies = ["two", "one"]
    for (const body of bodies) {
      const { payment_intent, token } = await paying("https://api.example/ask", body)
      const headers = { "x-payment-intent": payment_intent, "x-payment-token": token }
      const verdict = await paywall.check({ ...requested(body), headers })
      expect(verdict.paid, body).toBe(true)
    }
    expect(asked).toEqual([asked[0], asked[1], asked[0]])
  })

  test("stays unknown to the sandbox's wallet while its key is refused", async () => {
    const said: { answer?: Response } = {}
    const options = {
      ...account(),
      retries: 0,
      fetch: async (request: Request) => {
        const { answer } = said
        if (answer !== undefined) return answer
        await fetch(request)
        throw new TypeError("The answer was lost.")
      },
    }
    const response = await fetch(url)
    const { payment_intent: due } = (await response.json()) as { payment_intent: WalletOrder }
    const wallet = sandboxWallet(options)
    const paying = () => wallet.pay({ ...due, origin: app.url })
    await expect(paying()).rejects.not.toMatchObject({ name: "PaymentDeclined" })
    const refusal = { error: "unauthorized", code: "INVALID_API_KEY", message: "Refused." }
    said.answer = Response.json(refusal, { status: 401 })
    await expect(paying()).rejects.not.toMatchObject({ name: "PaymentDeclined" })
    // A refusal of the payment itself is one.
    const judged = { error: "conflict", code: "INVALID_TRANSITION", message: "It has ended." }
    said.answer = Response.json(judged, { status: 409 })
    await expect(paying()).rejects.toMatchObject({ name: "PaymentDeclined" })
  })
})
