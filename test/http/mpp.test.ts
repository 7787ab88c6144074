import { BodyDigest, Challenge, Receipt } from "mppx"
import { Mppx } from "mppx/client"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import {
  mppPayer,
  payingFetch,
  sandboxWallet,
  type Wallet,
} from "../../adapters/http/client/entry.ts"
import { credentialFor, type PaymentDemand } from "../../adapters/http/client/PaymentDemand.ts"
import { parseChallenges } from "../../adapters/http/client/MppChallenge.ts"
import { type PaymentTerms, type Paywall, requirePayment } from "../../adapters/http/paid/402.ts"
import { activeService, type App, startApp } from "../support/app.ts"

let app: App
let service: string
let path: string
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  service = await activeService(app)
  path = `/v1/sandbox/paid/${service}`
})
afterAll(() => app.stop())

const budget = { currency: "USD", perCall: 1_000, total: 10_000, mostPayments: 10 }

const payerOf = (fetching: typeof fetch = fetch) => {
  const sandbox = sandboxWallet({ baseUrl: app.url, apiKey: app.buyer.api_key.key })
  const paid: Array<string> = []
  const wallet: Wallet = {
    pay: async (order) => {
      paid.push(order.id)
      expect(JSON.stringify(order)).not.toContain("token")
      await sandbox.pay(order)
    },
  }
  const payer = mppPayer(fetching, wallet, budget, { patience: 20_000 })
  const { fetch: paying } = Mppx.create({ ...payer, polyfill: false })
  return { paid, paying }
}

describe("the reference client, unchanged", () => {
  test("pays a 402 once and gets the resource with a receipt", async () => {
    const { paid, paying } = payerOf()
    const response = await paying(app.url + path)
    expect(response.status).toBe(200)
    const { payment_intent } = (await response.json()) as { readonly payment_intent: string }
    expect(paid).toEqual([payment_intent])
    expect(Receipt.fromResponse(response)).toMatchObject({
      status: "success",
      method: "payport",
      reference: payment_intent,
    })
    const { json } = await app.call("GET", `/v1/payment-intents/${payment_intent}`)
    expect(["captured", "succeeded"]).toContain(json["status"])
  })

  test("reads our challenge as its own library writes it", async () => {
    const response = await fetch(app.url + path, {
      headers: { "Accept-Payment": "payport/charge" },
    })
    const [challenge] = Challenge.fromResponseList(response)
    if (challenge === undefined) throw new Error("There is no challenge.")
    expect(Challenge.serialize(challenge)).toBe(response.headers.get("WWW-Authenticate"))
    const body = (await response.json()) as { readonly payment_intent: { readonly id: string } }
    expect(challenge).toMatchObject({
      realm: "payport",
      method: "payport",
      intent: "charge",
      request: {
        amount: "699",
        currency: "usd",
        recipient: "agent-of-the-seller",
        methodDetails: { payment_intent: body.payment_intent.id, network: "payport:sandbox" },
      },
    })
    expect(body).toMatchObject({
      type: "https://paymentauth.org/problems/payment-required",
      challengeId: challenge.id,
    })
    expect(response.headers.get("WWW-Authenticate")).not.toContain("token")
  })

  test("leaves the body alone for those who do not speak the scheme", async () => {
    const { headers, json } = await app.call("GET", path, { key: null })
    expect(headers.get("WWW-Authenticate")).toMatch(/^Payment id="/)
    expect(Object.keys(json)).toEqual(["error", "payment_intent"])
  })

  test("gets one payment and its proof where every answer is lost", async () => {
    let shown = 0
    const losing: typeof fetch = async (input, init) => {
      const response = await fetch(input, init)
      const sent = new Request(input, init).headers.get("Authorization")
      if (sent === null) return response
      shown += 1
      throw new TypeError("The connection was lost.")
    }
    const { paid, paying } = payerOf(losing)
    await expect(paying(app.url + path)).rejects.toMatchObject({
      name: "PaymentUnresolved",
      proof: { payment_intent: expect.stringMatching(/^pi_/) },
    })
    expect([paid.length, shown]).toEqual([1, 1])
  })

  test("waits, with the same credential, while nobody knows of the payment", async () => {
    const faults = "/v1/sandbox/channels/wallet_a/faults"
    let asked = 0
    const watching: typeof fetch = async (input, init) => {
      const response = await fetch(input, init)
      if (response.status !== 409) return response
      asked += 1
      await app.call("PUT", faults, { body: { timeout: false } })
      await app.call("POST", "/v1/sandbox/clock/advance", { body: { seconds: 120 } })
      return response
    }
    const { paid, paying } = payerOf(watching)
    await app.call("PUT", faults, { body: { timeout: true } })
    expect((await paying(app.url + path)).status).toBe(200)
    expect([paid.length, asked]).toEqual([1, 1])
  })

  test("never pays a second time where its credential was used by another", async () => {
    const thief: typeof fetch = async (input, init) => {
      const request = new Request(input, init)
      if (request.headers.has("Authorization")) await fetch(request.clone())
      return fetch(request)
    }
    const { paid, paying } = payerOf(thief)
    await expect(paying(app.url + path)).rejects.toMatchObject({
      name: "PaymentUnresolved",
      status: 402,
    })
    expect(paid).toHaveLength(1)
  })
})

describe("a paywall of a seller's own server", () => {
  const wallOf = (said: Partial<PaymentTerms> = {}) =>
    requirePayment({
      payport: { baseUrl: app.url, apiKey: app.seller.api_key.key },
      service,
      amount: { currency: "USD", value: 25 },
      realm: "Papers",
      ...said,
    })

  const asked = { method: "POST", url: "https://api.example/papers" }

  /** A credential of a payment for a request with that body. */
  const paidFor = async (paywall: Paywall, body?: string) => {
    const request = { ...asked, headers: {}, ...(body !== undefined && { body }) }
    const verdict = await paywall.check(request)
    if (verdict.paid) throw new Error("It should not be paid.")
    const [challenge] = parseChallenges(verdict.headers["WWW-Authenticate"] ?? "")
    const { payment_intent } = verdict.body as { readonly payment_intent: PaymentDemand }
    if (challenge === undefined) throw new Error("There is no challenge.")
    await app.call("POST", `/v1/sandbox/payment-intents/${payment_intent.id}/simulate`, {
      key: app.buyer.api_key.key,
      body: { action: "pay" },
    })
    const headers = { authorization: credentialFor(payment_intent, challenge) }
    return {
      challenge,
      headers,
      show: (said: object = {}) => paywall.check({ ...request, headers, ...said }),
    }
  }

  test("binds the body, as RFC 9530 has its digest", async () => {
    const paywall = wallOf()
    const { challenge, show } = await paidFor(paywall, "a question")
    const plain = BodyDigest.compute("a question").replace("sha-256=", "")
    expect(challenge).toMatchObject({ realm: "Papers", digest: `sha-256=:${plain}:` })
    for (const body of ["another question", undefined]) {
      expect(await show({ body })).toMatchObject({
        status: 402,
        body: { type: "https://paymentauth.org/problems/verification-failed" },
      })
    }
    expect(await show()).toMatchObject({ paid: true })
  })

  test("takes a credential for its own method, path and realm alone", async () => {
    const paywall = wallOf()
    const { headers, show } = await paidFor(paywall)
    expect(await show({ method: "DELETE" })).toMatchObject({ paid: false, status: 402 })
    expect(await show({ url: "https://api.example/books" })).toMatchObject({ paid: false })
    const elsewhere = await wallOf({ realm: "Books" }).check({ ...asked, headers })
    expect(elsewhere).toMatchObject({
      status: 402,
      body: { type: "https://paymentauth.org/problems/invalid-challenge" },
    })
    expect(await show()).toMatchObject({ paid: true })
  })

  test("shows the same receipt however often a credential passes in its time", async () => {
    const { show } = await paidFor(wallOf({ use: { seconds: 600 } }))
    const all = await Promise.all([show(), show(), show(), show()])
    const receipts = all.map(({ headers }) => headers["Payment-Receipt"])
    expect(all.map(({ paid }) => paid)).toEqual([true, true, true, true])
    expect([receipts[0] === undefined, new Set(receipts).size]).toEqual([false, 1])
  })

  test("says what has expired, whether it was authorized or not: nothing was charged", async () => {
    const paywall = wallOf()
    const paid = await paidFor(paywall)
    const verdict = await paywall.check({ ...asked, headers: {} })
    const [challenge] = parseChallenges(verdict.headers["WWW-Authenticate"] ?? "")
    const { payment_intent } = (verdict.paid ? {} : verdict.body) as {
      payment_intent: PaymentDemand
    }
    if (challenge === undefined) throw new Error("There is no challenge.")
    const headers = { authorization: credentialFor(payment_intent, challenge) }
    const early = await paywall.check({ ...asked, headers })
    expect(early).toMatchObject({ status: 402, headers: { "Retry-After": "2" } })
    expect(parseChallenges(early.headers["WWW-Authenticate"] ?? "")).toEqual([challenge])
    await app.call("POST", "/v1/sandbox/clock/advance", { body: { seconds: 16 * 60 } })
    const expired = { body: { type: "https://paymentauth.org/problems/payment-expired" } }
    expect(await paywall.check({ ...asked, headers })).toMatchObject(expired)
    expect(await paid.show()).toMatchObject(expired)
  })

  test("is paid by our own client where a 402 has the challenge alone", async () => {
    const paywall = wallOf()
    const bare = async (request: Request) => {
      const { method, url } = request
      const headers = Object.fromEntries(request.headers)
      const verdict = await paywall.check({ method, url, headers })
      if (verdict.paid) return Response.json({}, { headers: verdict.headers })
      const { "WWW-Authenticate": challenge = "", "Retry-After": wait } = verdict.headers
      const status = verdict.status
      return Response.json(verdict.body, {
        status,
        headers: { "WWW-Authenticate": challenge, ...(wait && { "Retry-After": wait }) },
      })
    }
    const wallet = sandboxWallet({ baseUrl: app.url, apiKey: app.buyer.api_key.key })
    const paying = payingFetch(bare, wallet, { budget, hosts: ["api.example"] })
    const response = await paying("https://api.example/papers")
    expect([response.status, paying.spent().value]).toEqual([200, 25])
    expect(Receipt.fromResponse(response).method).toBe("payport")
  })
})
