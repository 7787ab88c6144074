import { Receipt } from "mppx"
import { Mppx } from "mppx/client"
import { afterAll, beforeAll, expect, test } from "vitest"
import { idOf } from "../../adapters/http/mpp/binding.ts"
import { mppPayer, sandboxWallet } from "../../adapters/http/client/entry.ts"
import { encodeFields } from "../../adapters/http/client/Fields.ts"
import {
  type ChallengeParameters,
  type MppChallenge,
  parseChallenges,
  requestOf,
  requestText,
} from "../../adapters/http/client/MppChallenge.ts"
import { type PaymentTerms, type Paywall, requirePayment } from "../../adapters/http/paid/402.ts"
import { activeService, type App, startApp } from "../support/app.ts"

let app: App
let wall: Paywall
let charging: Paywall
let here: Paid
let there: Paid
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  const service = await activeService(app)
  const wallOf = (said: Partial<PaymentTerms> = {}) =>
    requirePayment({
      payport: { baseUrl: app.url, apiKey: app.seller.api_key.key },
      service,
      amount: { currency: "USD", value: 25 },
      realm: "Papers",
      capture: "later",
      rates: { perClient: 1_000 },
      ...said,
    })
  wall = wallOf()
  charging = wallOf({ capture: "at_once" })
  here = await paid(wall)
  there = await paid(wall)
})
afterAll(() => app.stop())

const asked = { method: "GET", url: "https://api.example/papers" }

interface Paid {
  readonly challenge: MppChallenge
  readonly payload: { readonly payment_intent: string; readonly token: string }
}

const paid = async (paywall: Paywall): Promise<Paid> => {
  const verdict = await paywall.check({ ...asked, headers: {} })
  if (verdict.paid) throw new Error("It should not be paid.")
  const [challenge] = parseChallenges(verdict.headers["WWW-Authenticate"] ?? "")
  if (challenge === undefined) throw new Error("There is no challenge.")
  const { id, token } = Reflect.get(verdict.body, "payment_intent")
  const { status } = await app.call("POST", `/v1/sandbox/payment-intents/${id}/simulate`, {
    key: app.buyer.api_key.key,
    body: { action: "pay" },
  })
  expect(status).toBe(200)
  return { challenge, payload: { payment_intent: id, token } }
}

const credential = (challenge: unknown, payload: unknown): string =>
  `Payment ${encodeFields({ challenge, payload })}`

const genuine = ({ challenge, payload }: Paid): string => credential(challenge, payload)

const show = (authorization: string, paywall = wall) =>
  paywall.check({ ...asked, headers: { authorization } })

const statusOf = async ({ payload }: Paid) =>
  (await app.call("GET", `/v1/payment-intents/${payload.payment_intent}`)).json["status"]

const insider = (said: Partial<ChallengeParameters>, token?: string) => () => {
  const { id: _old, ...parameters } = { ...here.challenge, ...said }
  return credential(
    { id: idOf(parameters, token ?? here.payload.token), ...parameters },
    here.payload,
  )
}

const asking = (said: object) => () =>
  insider({ request: requestText({ ...requestOf(here.challenge), ...said }) })()

/** Texts similar to the credential of an authorization. */
const forged: ReadonlyArray<readonly [name: string, header: () => string]> = [
  ["the intent charge", () => credential({ ...here.challenge, intent: "charge" }, here.payload)],
  ["an id made anew for the intent charge", insider({ intent: "charge" })],
  ["an id made anew for a session", insider({ intent: "session" })],
  ["the intent in capitals", insider({ intent: "AUTHORIZE" })],
  ["another realm", insider({ realm: "Books" })],
  ["another method", insider({ method: "tempo" })],
  ["less", asking({ amount: "1" })],
  ["another currency", asking({ currency: "eur" })],
  ["another payment", () => asking({ methodDetails: there.payload })()],
  ["no payment", asking({ methodDetails: {} })],
  ["a body", insider({ digest: "sha-256=:AAAA:" })],
  ["an id made with a guessed token", insider({}, "guessed")],
  ["a guessed token", () => credential(here.challenge, { ...here.payload, token: "guessed" })],
  [
    "another's token",
    () => credential(here.challenge, { ...here.payload, token: there.payload.token }),
  ],
  ["another's whole proof", () => credential(here.challenge, there.payload)],
  ["no payload", () => credential(here.challenge, undefined)],
  ["half of it", () => genuine(here).slice(0, 200)],
]

test.each(forged)("%s passes nothing and holds no money", async (_, header) => {
  const verdict = await show(header())
  expect(verdict.paid).toBe(false)
  expect(verdict.headers["Payment-Receipt"]).toBeUndefined()
  expect(await statusOf(here)).toBe("authorized")
})

test("a credential passes once; its seller captures what it holds", async () => {
  const passed = await show(genuine(here))
  expect(passed).toMatchObject({ paid: true, payment_intent: here.payload.payment_intent })
  const until = passed.paid ? passed.capture_before : null
  expect(Receipt.deserialize(passed.headers["Payment-Receipt"] ?? "")).toMatchObject({
    status: "success",
    settlement: "authorized",
    captureBefore: until,
    reference: here.payload.payment_intent,
  })
  expect(await statusOf(here)).toBe("authorized")
  for (const paywall of [wall, charging]) {
    const again = await show(genuine(here), paywall)
    expect(again.paid).toBe(false)
    expect(await statusOf(here)).toBe("authorized")
  }
  const intent = `/v1/payment-intents/${here.payload.payment_intent}`
  const captured = await app.call("POST", `${intent}/capture`, { key: app.seller.api_key.key })
  expect(captured.status).toBe(200)
  expect(["captured", "succeeded"]).toContain(await statusOf(here))
  expect(await show(genuine(here))).toMatchObject({ body: { code: "PAYMENT_PROOF_USED" } })
})

test("of many at once one passes, and nothing is taken", async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => show(genuine(there))))
  expect(all.filter((verdict) => verdict.paid)).toHaveLength(1)
  expect(await statusOf(there)).toBe("authorized")
})

test("what was voided, or has lapsed, passes no more", async () => {
  const voided = await paid(wall)
  const intent = `/v1/payment-intents/${voided.payload.payment_intent}`
  const { status } = await app.call("POST", `${intent}/cancel`, { key: app.seller.api_key.key })
  expect(status).toBe(200)
  expect(await show(genuine(voided))).toMatchObject({ paid: false, status: 402 })
  const late = await paid(wall)
  await app.call("POST", "/v1/sandbox/clock/advance", { body: { seconds: 16 * 60 } })
  expect(await show(genuine(late))).toMatchObject({
    paid: false,
    body: { type: "https://paymentauth.org/problems/payment-expired" },
  })
  expect(await statusOf(late)).toBe("expired")
})

test("our own headers hold the money, too; of x402 the scheme that holds is offered", async () => {
  const { headers } = await wall.check({ ...asked, headers: {} })
  const required = JSON.parse(atob(headers["PAYMENT-REQUIRED"] ?? "")) as object
  expect(required).toMatchObject({ accepts: [{ scheme: "auth-capture" }] })
  expect(required).toHaveProperty("accepts.length", 1)
  const held = await paid(wall)
  const { payment_intent, token } = held.payload
  const payment = {
    x402Version: 2,
    accepted: { scheme: "payport", network: "payport:sandbox" },
    payload: held.payload,
  }
  const x402 = { "payment-signature": btoa(JSON.stringify(payment)) }
  expect(await wall.check({ ...asked, headers: x402 })).toMatchObject({ paid: false, status: 400 })
  const own = { "x-payment-intent": payment_intent, "x-payment-token": token }
  const passed = await wall.check({ ...asked, headers: own })
  expect(passed.paid && passed.capture_before).toMatch(/^20/)
  expect(await statusOf(held)).toBe("authorized")
})

test("the reference client, unchanged, authorizes once and passes", async () => {
  const sandbox = sandboxWallet({ baseUrl: app.url, apiKey: app.buyer.api_key.key })
  const orders: Array<string> = []
  const payer = mppPayer(
    (request) => wall.fetch(request, () => Response.json({ read: true })),
    { pay: (order) => (orders.push(order.id), sandbox.pay(order)) },
    { currency: "USD", perCall: 100, total: 250 },
  )
  const { fetch: paying } = Mppx.create({ ...payer, polyfill: false })
  const response = await paying("https://api.example/papers")
  expect(response.status).toBe(200)
  expect(Receipt.fromResponse(response)).toMatchObject({
    method: "payport",
    settlement: "authorized",
    reference: orders[0],
  })
  expect(orders).toHaveLength(1)
  const { json } = await app.call("GET", `/v1/payment-intents/${orders[0]}`)
  expect(json["status"]).toBe("authorized")
})
