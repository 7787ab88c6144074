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

type Outcome = "paid" | "lost" | "silent" | "declined"

/** A wallet whose payments end so, in turn. Of a lost one the answer is lost, not the payment. */
const walletOf = (...outcomes: ReadonlyArray<Outcome>) => {
  const sandbox = sandboxWallet(account())
  const left = [...outcomes]
  const asked: Array<string> = []
  const pay: Wallet["pay"] = async (order) => {
    asked.push(order.id)
    const outcome = left.shift() ?? "paid"
    if (outcome === "declined") throw new PaymentDeclined("Not now.")
    if (outcome !== "silent") await sandbox.pay(order)
    if (outcome !== "paid") throw new Error("The answer was lost.")
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
      challenge: { id: "c1", request: requestText(request) },
      payload: { payment_intent: asked[0] },
    })
    expect(asked).toEqual([asked[0], asked[0]])
  })

  test("is what x402Payer asks for again", async () => {
    const { asked, wallet } = walletOf("lost")
    const payer = x402Payer(fetch, wallet, budget)
    const paying = async (at: string) => {
      const { headers } = await payer.fetch(at)
      const payment_intent = headers.get("X-Payment-Intent")
      const required = { amount: "699", asset: "USD", payTo: service, extra: { payment_intent } }
      return (await payer.scheme.createPaymentPayload(2, required)).payload.payment_intent
    }
    await expect(paying(url)).rejects.toThrow("The answer was lost.")
    expect(await paying(`${url}?page=2`)).toBe(asked[1])
    expect(await paying(url)).toBe(asked[0])
    expect(await paying(url)).toBe(asked[3])
    expect(asked[2]).toBe(asked[0])
    expect(new Set(asked).size).toBe(3)
  })
})
