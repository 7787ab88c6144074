import Koa from "koa"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import {
  payingFetch,
  PaymentDeclined,
  PaymentRefused,
  PaymentUnresolved,
  sandboxWallet,
  type Wallet,
  type WalletOrder,
} from "../../adapters/http/client/entry.ts"
import { type PaymentTerms, requirePayment } from "../../adapters/http/paid/402.ts"
import { activeService, type App, startApp } from "../support/app.ts"

let app: App
let service: string
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  service = await activeService(app)
})
afterAll(() => app.stop())

const price = { currency: "USD", value: 25 }
const budget = { currency: "USD", perCall: 25, total: 100 }

const termsOf = (said: Partial<PaymentTerms> = {}): PaymentTerms => ({
  payport: { baseUrl: app.url, apiKey: app.seller.api_key.key },
  service,
  amount: price,
  ...said,
})

/** A seller's server, which counts how often it has done its work. */
const openSeller = async (said: Partial<PaymentTerms> = {}, status = 200) => {
  const koa = new Koa()
  let served = 0
  koa.use(requirePayment(termsOf(said)))
  koa.use(async (context) => {
    served += 1
    const sent: Array<Buffer> = []
    for await (const chunk of context.req) sent.push(chunk as Buffer)
    context.status = status
    context.body = { ...context.state["payment"], sent: Buffer.concat(sent).toString() }
  })
  const answer = koa.callback()
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const { port } = server.address() as AddressInfo
  const host = `127.0.0.1:${port}`
  return { host, url: `http://${host}/reports/7`, served: () => served }
}

const walletOf = () => {
  const sandbox = sandboxWallet({ baseUrl: app.url, apiKey: app.buyer.api_key.key })
  const paid: Array<string> = []
  const wallet: Wallet = {
    pay: async (order) => {
      paid.push(order.id)
      expect(JSON.stringify(order)).not.toContain("token")
      await sandbox.pay(order)
    },
  }
  return { paid, wallet }
}

const statusOf = async (id: string) =>
  (await app.call("GET", `/v1/payment-intents/${id}`)).json["status"]

describe("a seller's server", () => {
  test("serves what was paid for, once a payment, and captures it", async () => {
    const seller = await openSeller()
    const { paid, wallet } = walletOf()
    const paying = payingFetch(fetch, wallet, { budget, hosts: [seller.host] })
    const first = await paying(seller.url)
    expect([first.status, seller.served()]).toEqual([200, 1])
    expect(await first.json()).toEqual({
      payment_intent: paid[0],
      capture_before: null,
      repeated: false,
      valid_until: null,
      sent: "",
    })
    expect(["captured", "succeeded"]).toContain(await statusOf(String(paid[0])))
    expect(first.headers.get("Cache-Control")).toBe("private")
    expect((await paying(seller.url)).status).toBe(200)
    expect([paid.length, seller.served(), paying.spent().value]).toEqual([2, 2, 50])
  })

  test("gets the body of a request that is sent again", async () => {
    const seller = await openSeller()
    const { wallet } = walletOf()
    const paying = payingFetch(fetch, wallet, { budget, hosts: [seller.host] })
    const answer = await paying(seller.url, { method: "POST", body: "a question" })
    expect(await answer.json()).toMatchObject({ sent: "a question" })
  })

  test("takes a proof for its own method and path alone", async () => {
    const seller = await openSeller()
    const asked = (await (await fetch(seller.url)).json()) as {
      readonly payment_intent: Omit<WalletOrder, "origin"> & { readonly token: string }
    }
    const { token, ...order } = asked.payment_intent
    const { id } = order
    await walletOf().wallet.pay({ ...order, origin: seller.url })
    const headers = { "X-Payment-Intent": id, "X-Payment-Token": token }
    const other = `http://${seller.host}/reports/8`
    expect((await fetch(other, { headers })).status).toBe(403)
    expect((await fetch(seller.url, { method: "DELETE", headers })).status).toBe(403)
    expect(seller.served()).toBe(0)
    expect((await fetch(`${seller.url}?format=pdf`, { headers })).status).toBe(200)
  })

  test("may let a payment in for a while", async () => {
    const seller = await openSeller({ use: { seconds: 600 } })
    const { paid, wallet } = walletOf()
    let proof = new Headers()
    const noting = (request: Request) => {
      if (request.headers.has("X-Payment-Token")) proof = new Headers(request.headers)
      return fetch(request)
    }
    await payingFetch(noting, wallet, { budget, hosts: [seller.host] })(seller.url)
    const headers = Object.fromEntries(proof)
    expect((await fetch(seller.url, { headers })).status).toBe(200)
    await app.call("POST", "/v1/sandbox/clock/advance", { body: { seconds: 600 } })
    expect((await fetch(seller.url, { headers })).status).toBe(402)
    expect([paid.length, seller.served()]).toEqual([1, 2])
  })

  test("asks no client for more payments a minute than it is set to", async () => {
    const seller = await openSeller({ rates: { perClient: 2 } })
    const statuses = []
    for (let n = 0; n < 4; n++) statuses.push((await fetch(seller.url)).status)
    expect(statuses.filter((status) => status === 402).length).toBeLessThanOrEqual(3)
    expect(statuses).toContain(429)
  })

  test.each<[string, Partial<PaymentTerms>, number]>([
    ["a key that is none", { payport: { baseUrl: "", apiKey: "sk_test_wrong" } }, 503],
    ["a service that is none", { service: "00000000-0000-7000-8000-000000000001" }, 503],
    ["a channel that is none", { channel: "wallet_zz" }, 503],
    ["an address that is too long", { resource: () => "x".repeat(2049) }, 414],
  ])("with %s answers so, and lets nobody in", async (_, said, status) => {
    const reported: Array<unknown> = []
    const wrong =
      said.payport === undefined ? said : { payport: { ...said.payport, baseUrl: app.url } }
    const seller = await openSeller({ ...wrong, report: (error) => void reported.push(error) })
    expect((await fetch(seller.url)).status).toBe(status)
    expect([seller.served(), reported.length]).toEqual([0, status === 503 ? 1 : 0])
  })
})

describe("a paying client refuses", () => {
  test.each<[string, object, string]>([
    ["another host", { hosts: ["api.example"] }, "host"],
    ["another currency", { budget: { ...budget, currency: "EUR" } }, "currency"],
    ["more than a call's budget", { budget: { ...budget, perCall: 24 } }, "per_call_budget"],
    ["more than is left", { budget: { ...budget, total: 24 } }, "total_budget"],
    ["one payment more", { budget: { ...budget, mostPayments: 0 } }, "too_many_payments"],
  ])("%s", async (_, said, reason) => {
    const seller = await openSeller()
    const { paid, wallet } = walletOf()
    const paying = payingFetch(fetch, wallet, { budget, hosts: [seller.host], ...said })
    await expect(paying(seller.url)).rejects.toMatchObject({ name: "PaymentRefused", reason })
    expect([paid, paying.spent().value, seller.served()]).toEqual([[], 0, 0])
  })

  test("to pay for a fourth time in a session, and beyond its total at once", async () => {
    const seller = await openSeller()
    const { paid, wallet } = walletOf()
    const paying = payingFetch(fetch, wallet, { budget, hosts: [seller.host] })
    const all = await Promise.allSettled(Array.from({ length: 6 }, () => paying(seller.url)))
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(3)
    expect([paid.length, paying.spent().value]).toEqual([3, 75])
  })

  const demanded = {
    id: "pi_01997d3e-8a00-7000-8000-000000000020",
    amount: { currency: "USD", value: 25 },
    channel: "wallet_a",
    qr_uri: "svc://pay/pi_01997d3e-8a00-7000-8000-000000000020?channel=wallet_a",
    expires_at: "2036-01-31T08:15:00.000Z",
    token: "t",
  }
  const played = (body: object, headers: Record<string, string> = {}) =>
    Promise.resolve(
      Response.json(body, {
        status: 402,
        headers: { "X-Payment-Intent": demanded.id, ...headers },
      }),
    )
  test.each<[string, object]>([
    ["no payment", {}],
    [
      "another payment than its headers",
      { ...demanded, id: "pi_01997d3e-8a00-7000-8000-000000000021" },
    ],
    ["a link to another payment", { ...demanded, qr_uri: "svc://pay/pi_1?channel=wallet_a" }],
    ["a fraction", { ...demanded, amount: { currency: "USD", value: 0.5 } }],
    ["a negative amount", { ...demanded, amount: { currency: "USD", value: -25 } }],
    ["a token with a line break", { ...demanded, token: "a\nb" }],
    ["no time", { ...demanded, expires_at: "soon" }],
  ])("a 402 with %s", async (_, payment_intent) => {
    const { paid, wallet } = walletOf()
    const fetching = () => played({ error: "payment_required", payment_intent })
    const paying = payingFetch(fetching, wallet, { budget, hosts: ["api.example"] })
    await expect(paying("https://api.example/")).rejects.toBeInstanceOf(PaymentRefused)
    expect(paid).toEqual([])
  })

  test("to pay over a connection that others read", async () => {
    const fetching = () => played({ error: "payment_required", payment_intent: demanded })
    const paying = payingFetch(fetching, walletOf().wallet, { budget, hosts: ["api.example"] })
    await expect(paying("http://api.example/")).rejects.toMatchObject({ reason: "host" })
  })

  test("no 402 that is somebody else's, but returns it", async () => {
    const fetching = () => Promise.resolve(new Response("pay me", { status: 402 }))
    const paying = payingFetch(fetching, walletOf().wallet, { budget, hosts: ["api.example"] })
    expect(await (await paying("https://api.example/")).text()).toBe("pay me")
  })
})

describe("a payment that does not end well", () => {
  test("is given back to the budget where the wallet declined it", async () => {
    const seller = await openSeller()
    const wallet: Wallet = {
      pay: () => Promise.reject(new PaymentDeclined("no money")),
    }
    const paying = payingFetch(fetch, wallet, { budget, hosts: [seller.host] })
    await expect(paying(seller.url)).rejects.toBeInstanceOf(PaymentDeclined)
    expect(paying.spent().value).toBe(0)
  })

  test("counts as spent where the wallet did not say, and the proof is not lost", async () => {
    const seller = await openSeller()
    const { wallet } = walletOf()
    const lost: Wallet = {
      pay: async (order) => {
        await wallet.pay(order)
        throw new Error("the line broke")
      },
    }
    const paying = payingFetch(fetch, lost, { budget, hosts: [seller.host] })
    const error = await paying(seller.url).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (!(error instanceof PaymentUnresolved)) throw new Error("it should be unresolved")
    expect(paying.spent().value).toBe(25)
    const { payment_intent, token } = error.proof
    const headers = { "X-Payment-Intent": payment_intent, "X-Payment-Token": token }
    expect((await fetch(seller.url, { headers })).status).toBe(200)
  })

  test("is never made a second time for one request", async () => {
    const seller = await openSeller()
    const { paid, wallet } = walletOf()
    const thief = async (request: Request) => {
      const stolen = new Request(request.clone())
      if (request.headers.has("X-Payment-Token")) await fetch(stolen)
      return fetch(request)
    }
    const paying = payingFetch(thief, wallet, { budget, hosts: [seller.host] })
    await expect(paying(seller.url)).rejects.toMatchObject({
      name: "PaymentUnresolved",
      status: 402,
    })
    expect([paid.length, paying.spent().value]).toEqual([1, 25])
  })

  test("whose proof is waited for is accepted as soon as the payer has paid", async () => {
    const seller = await openSeller()
    const { wallet } = walletOf()
    const slow: Wallet = {
      pay: (order) => {
        setTimeout(() => void wallet.pay(order), 700)
        return Promise.resolve()
      },
    }
    const paying = payingFetch(fetch, slow, { budget, hosts: [seller.host] })
    expect((await paying(seller.url)).status).toBe(200)
  })

  test("is shown without following redirects, which would take the proof elsewhere", async () => {
    const { wallet } = walletOf()
    const seller = await openSeller({}, 302)
    const paying = payingFetch(fetch, wallet, { budget, hosts: [seller.host] })
    expect((await paying(seller.url)).status).toBe(302)
  })
})
