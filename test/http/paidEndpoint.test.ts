import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from "@x402/core/http"
import { wrapFetchWithPayment, x402Client } from "@x402/fetch"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { sandboxWallet, x402Payer } from "../../adapters/http/client/entry.ts"
import type { PaymentChallenge } from "../../adapters/http/client/Resources.ts"
import { acceptOf } from "../../adapters/http/paid/x402.ts"
import { activeService, type App, type Reply, startApp } from "../support/app.ts"

interface PaymentDemand {
  readonly id: string
  readonly amount: { readonly currency: string; readonly value: number }
  readonly channel: string
  readonly qr_uri: string
  readonly expires_at: string
  readonly token: string
}

let app: App
let service: string
let path: string
const tokens: Array<string> = []
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  service = await activeService(app)
  path = `/v1/sandbox/paid/${service}`
})
afterAll(() => app.stop())

const get = (headers: { readonly [name: string]: string } = {}, at = path): Promise<Reply> =>
  app.call("GET", at, { key: null, headers })

const asked = async (): Promise<PaymentDemand> => {
  const { json, status } = await get()
  expect(status).toBe(402)
  const demanded = json["payment_intent"] as PaymentDemand
  tokens.push(demanded.token)
  return demanded
}

const proofOf = ({ id, token }: Pick<PaymentDemand, "id" | "token">) => ({
  "X-Payment-Intent": id,
  "X-Payment-Token": token,
})

const act = (id: string, action: string, key = app.buyer.api_key.key) =>
  app.call("POST", `/v1/sandbox/payment-intents/${id}/simulate`, { key, body: { action } })

const paid = async (): Promise<PaymentDemand> => {
  const demanded = await asked()
  expect((await act(demanded.id, "pay")).json["status"]).toBe("authorized")
  return demanded
}

describe("a request without a proof", () => {
  test("is asked for a payment, in headers and body, without a key", async () => {
    const { headers, json, status } = await get()
    const demanded = json["payment_intent"] as PaymentDemand
    expect(status).toBe(402)
    expect(Object.keys(json)).toEqual(["error", "payment_intent"])
    expect(json["error"]).toBe("payment_required")
    expect(Object.keys(demanded).toSorted()).toEqual(
      ["id", "amount", "channel", "qr_uri", "expires_at", "token"].toSorted(),
    )
    expect(demanded).toMatchObject({ amount: { currency: "USD", value: 699 }, channel: "wallet_a" })
    expect(demanded.qr_uri).toBe(`svc://pay/${demanded.id}?channel=wallet_a`)
    expect(headers.get("X-Payment-Intent")).toBe(demanded.id)
    expect(headers.get("X-Payment-Channel")).toBe("wallet_a")
    expect(headers.get("X-Payment-Amount")).toBe("699 USD")
    expect(headers.get("X-Payment-QR")).toBe(demanded.qr_uri)
    expect(headers.get("Cache-Control")).toBe("no-store")
    expect([...headers].flat().join()).not.toContain(demanded.token)
  })

  test("reads the same in x402's header, without the token", async () => {
    const { headers, json } = await get()
    const { token, ...demanded } = json["payment_intent"] as PaymentDemand
    const required = decodePaymentRequiredHeader(headers.get("PAYMENT-REQUIRED") ?? "")
    expect(required).toMatchObject({
      x402Version: 2,
      resource: { url: `http://payport.test${path}` },
    })
    expect(required.accepts).toEqual([
      {
        scheme: "payport",
        network: "payport:sandbox",
        asset: "USD",
        amount: "699",
        payTo: "agent-of-the-seller",
        maxTimeoutSeconds: expect.any(Number),
        extra: {
          payment_intent: demanded.id,
          channel: demanded.channel,
          qr_uri: demanded.qr_uri,
          expires_at: demanded.expires_at,
        },
      },
    ])
    expect(JSON.stringify(required)).not.toContain(token)
  })

  test.each([
    ["no service", "00000000-0000-7000-8000-000000000001"],
    ["no id", "weather"],
    ["a word of its own", "__proto__"],
  ])("finds nothing at %s", async (_, id) => {
    expect((await get({}, `/v1/sandbox/paid/${id}`)).status).toBe(404)
  })

  test("finds nothing while the service is paused", async () => {
    const paused = await activeService(app, { name: "Soon paused" })
    await app.call("PATCH", `/v1/services/${paused}/pause`)
    expect((await get({}, `/v1/sandbox/paid/${paused}`)).status).toBe(404)
  })

  test("reserves nothing of anybody's limits", async () => {
    const { id } = await asked()
    const { json } = await app.call("GET", `/v1/payment-intents/${id}`)
    expect(json).toMatchObject({ payer: { agent_id: null }, status: "qr_generated" })
    const stranger = await app.call("GET", `/v1/payment-intents/${id}`, {
      key: app.buyer.api_key.key,
    })
    expect(stranger.status).toBe(404)
  })
})

describe("a proof", () => {
  test("lets one request through, and captures the payment", async () => {
    const demanded = await paid()
    const through = await get(proofOf(demanded))
    expect([through.status, through.json["payment_intent"]]).toEqual([200, demanded.id])
    const { json } = await app.call("GET", `/v1/payment-intents/${demanded.id}`)
    expect(["captured", "succeeded"]).toContain(json["status"])
    const again = await get(proofOf(demanded))
    expect([again.status, again.json["code"]]).toEqual([402, "PAYMENT_PROOF_USED"])
    expect((again.json["payment_intent"] as PaymentDemand).id).not.toBe(demanded.id)
  })

  test("that 50 send at once lets one through", async () => {
    const proof = proofOf(await paid())
    const all = await Promise.all(Array.from({ length: 50 }, () => get(proof)))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1)
    const others = all.filter(({ status }) => status !== 200)
    expect(new Set(others.map(({ json }) => json["code"]))).toEqual(new Set(["PAYMENT_PROOF_USED"]))
  })

  test("of a payment that can still be made asks for that same one", async () => {
    const demanded = await asked()
    const again = await get(proofOf(demanded))
    expect(again.status).toBe(402)
    expect(again.json["payment_intent"]).toEqual(demanded)
    expect(again.headers.get("Retry-After")).toBe("2")
  })

  test("of a payment that has ended asks for another", async () => {
    const demanded = await asked()
    await act(demanded.id, "reject")
    const again = await get(proofOf(demanded))
    expect([again.status, again.json["code"]]).toEqual([402, "PAYMENT_REQUIRED"])
    expect((again.json["payment_intent"] as PaymentDemand).id).not.toBe(demanded.id)
  })

  test("for another service opens nothing here, and stays good there", async () => {
    const demanded = await paid()
    const other = await activeService(app, { name: "Another" })
    const elsewhere = await get(proofOf(demanded), `/v1/sandbox/paid/${other}`)
    expect([elsewhere.status, elsewhere.json["code"]]).toEqual([403, "PAYMENT_PROOF_INVALID"])
    expect((await get(proofOf(demanded))).status).toBe(200)
  })

  const id = "pi_01997d3e-8a00-7000-8000-000000000020"
  test.each<[string, { readonly [name: string]: string }, number]>([
    ["the wrong token", { "X-Payment-Intent": id, "X-Payment-Token": "x" }, 403],
    ["no token", { "X-Payment-Intent": id }, 400],
    ["no payment", { "X-Payment-Token": "x" }, 400],
    ["no id", { "X-Payment-Intent": "pi_1", "X-Payment-Token": "x" }, 400],
    ["an empty token", { "X-Payment-Intent": id, "X-Payment-Token": "" }, 400],
    ["a long token", { "X-Payment-Intent": id, "X-Payment-Token": "x".repeat(257) }, 400],
    ["two of them", { "X-Payment-Intent": `${id}, ${id}`, "X-Payment-Token": "x" }, 400],
    ["no base64", { "PAYMENT-SIGNATURE": "{}" }, 400],
    ["no payload", { "PAYMENT-SIGNATURE": btoa("{}") }, 400],
    ["null", { "PAYMENT-SIGNATURE": btoa("null") }, 400],
    [
      "another scheme",
      {
        "PAYMENT-SIGNATURE": btoa(
          JSON.stringify({
            x402Version: 2,
            accepted: { scheme: "exact", network: "eip155:8453" },
            payload: { payment_intent: id, token: "x" },
          }),
        ),
      },
      400,
    ],
  ])("with %s is refused, and nothing else is asked for", async (_, headers, status) => {
    const reply = await get(headers)
    expect([reply.status, reply.headers.get("X-Payment-Intent")]).toEqual([status, null])
  })
})

describe("a payment of which nobody knows", () => {
  test("is asked after again, and no other is asked for", async () => {
    const demanded = await paid()
    const faults = "/v1/sandbox/channels/wallet_a/faults"
    await app.call("PUT", faults, { body: { timeout: true } })
    const reply = await get(proofOf(demanded))
    await app.call("PUT", faults, { body: { timeout: false } })
    expect([reply.status, reply.json["code"]]).toEqual([409, "PAYMENT_UNRESOLVED"])
    expect(reply.headers.get("Retry-After")).toBe("2")
    expect(reply.headers.get("X-Payment-Intent")).toBeNull()
    await app.call("POST", "/v1/sandbox/clock/advance", { body: { seconds: 120 } })
    expect((await get(proofOf(demanded))).status).toBe(200)
  })
})

test("the time to pay is counted by the service's clock, which may be ahead", async () => {
  await app.call("POST", "/v1/sandbox/clock/advance", { body: { seconds: 86_400 } })
  const { headers } = await get()
  const { accepts } = decodePaymentRequiredHeader(headers.get("PAYMENT-REQUIRED") ?? "")
  expect(accepts.map(({ maxTimeoutSeconds }) => maxTimeoutSeconds)).toEqual([15 * 60])
})

test("the time to pay of an older service, which tells no time, is counted from now", () => {
  const expires_at = new Date(Date.now() + 90_500).toISOString()
  const challenge = { payee: { agent_id: "a" }, network: "payport:sandbox" } as PaymentChallenge
  const due = { id: "pi_1", amount: { currency: "USD", value: 1 }, channel: "wallet_a", expires_at }
  const payment_intent = due as PaymentChallenge["payment_intent"]
  const { maxTimeoutSeconds } = acceptOf({ ...challenge, payment_intent })
  expect(maxTimeoutSeconds).toBeGreaterThan(80)
  expect(maxTimeoutSeconds).toBeLessThan(91)
})

test("@x402/fetch with our scheme pays the paid endpoint", async () => {
  const wallet = sandboxWallet({ baseUrl: app.url, apiKey: app.buyer.api_key.key })
  const budget = { currency: "USD", perCall: 1_000, total: 1_000 }
  const payer = x402Payer(fetch, wallet, budget)
  const client = new x402Client().register("payport:*", payer.scheme)
  client.setSpendControls({ maxAmountPerPayment: "$10" })
  const paying = wrapFetchWithPayment(payer.fetch, client)
  const response = await paying(app.url + path)
  expect(response.status).toBe(200)
  const body = (await response.json()) as { readonly payment_intent: string }
  const told = decodePaymentResponseHeader(response.headers.get("PAYMENT-RESPONSE") ?? "")
  expect(told).toEqual({
    success: true,
    payer: "wallet_a_wallet",
    transaction: body.payment_intent,
    network: "payport:sandbox",
  })
  await expect(paying(app.url + path)).rejects.toThrow(/more than the 301 left of the budget/)
})

test("no token is in any line of the log", () => {
  expect(tokens.length).toBeGreaterThan(5)
  const log = app.lines.join("\n")
  expect(tokens.filter((token) => log.includes(token))).toEqual([])
})
