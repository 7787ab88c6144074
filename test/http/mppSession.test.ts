import { Receipt } from "mppx"
import { Mppx } from "mppx/client"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { mppPayer, sandboxWallet } from "../../adapters/http/client/entry.ts"
import { encodeFields } from "../../adapters/http/client/Fields.ts"
import {
  type MppChallenge,
  parseChallenges,
  requestOf,
  requestText,
} from "../../adapters/http/client/MppChallenge.ts"
import { idOf } from "../../adapters/http/mpp/binding.ts"
import { type Paywall, requireSession, type SessionTerms } from "../../adapters/http/paid/402.ts"
import { activeService, type App, startApp } from "../support/app.ts"

let app: App
let terms: SessionTerms
let wall: Paywall
let other: Paywall
let here: Paid
let there: Paid
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  const service = await activeService(app)
  terms = {
    payport: { baseUrl: app.url, apiKey: app.seller.api_key.key },
    service,
    price: 100,
    deposit: { currency: "USD", value: 500 },
    realm: "Papers",
  }
  wall = requireSession(terms)
  other = requireSession(terms)
  here = await paid()
  there = await paid()
})
afterAll(() => app.stop())

const url = "https://api.example/papers"

interface Paid {
  readonly challenge: MppChallenge
  readonly payload: { readonly payment_intent: string; readonly token: string }
}

let clients = 0
const client = () => `client ${clients++}`

const paid = async (at = wall): Promise<Paid> => {
  const verdict = await at.check({ method: "GET", url, headers: {}, client: client() })
  if (verdict.paid) throw new Error("It should not be paid.")
  const [challenge] = parseChallenges(verdict.headers["WWW-Authenticate"] ?? "")
  if (challenge === undefined) throw new Error("There is no challenge.")
  const { id, token } = Reflect.get(verdict.body, "payment_intent")
  await app.call("POST", `/v1/sandbox/payment-intents/${id}/simulate`, {
    key: app.buyer.api_key.key,
    body: { action: "pay" },
  })
  return { challenge, payload: { payment_intent: id, token } }
}

const show = (challenge: unknown, payload: unknown, paywall = wall) => {
  const authorization = `Payment ${encodeFields({ challenge, payload })}`
  return paywall.check({ method: "GET", url, headers: { authorization }, client: client() })
}

const draw = ({ challenge, payload }: Paid, spent: unknown, paywall = wall) =>
  show(challenge, { ...payload, action: "draw", spent }, paywall)

const close = ({ challenge, payload }: Paid, paywall: Paywall) =>
  show(challenge, { ...payload, action: "close" }, paywall)

/** Returns the challenge with another request, under the id that the token's holder can make. */
const remade = ({ challenge, payload }: Paid, asked: object): MppChallenge => {
  const said = requestOf(challenge)
  const methodDetails = { ...Object(said["methodDetails"]), ...Reflect.get(asked, "methodDetails") }
  const request = requestText({ ...said, ...asked, methodDetails })
  return { ...challenge, request, id: idOf({ ...challenge, request }, payload.token) }
}

const refundedOf = async (payment_intent: string) => {
  const { json } = await app.call("GET", `/v1/refunds?payment_intent=${payment_intent}`)
  const refunds = (json["data"] ?? []) as ReadonlyArray<{ amount: { value: number } }>
  return refunds.reduce((sum, { amount }) => sum + amount.value, 0)
}

const echoing = (said: object) => () =>
  show({ ...here.challenge, ...said }, { ...here.payload, action: "draw", spent: 100 })
const proving = (said: object) => () =>
  show(here.challenge, { ...here.payload, action: "draw", spent: 100, ...said })

const remaking = (asked: object) => () =>
  show(remade(here, asked), { ...here.payload, action: "draw", spent: 100 })

const forged: ReadonlyArray<readonly [string, () => ReturnType<typeof show>]> = [
  ["another realm", echoing({ realm: "Books" })],
  ["another id", () => echoing({ id: there.challenge.id })()],
  ["the intent charge", echoing({ intent: "charge" })],
  ["another's request", () => echoing({ request: there.challenge.request })()],
  ["more time", echoing({ expires: "2099-01-01T00:00:00.000Z" })],
  ["another method", echoing({ method: "tempo" })],
  ["a guessed token", proving({ token: "guessed" })],
  ["another's token", () => proving({ token: there.payload.token })()],
  ["another's payment", () => proving({ payment_intent: there.payload.payment_intent })()],
  ["no action", proving({ action: undefined })],
  ["another action", proving({ action: "open" })],
  ["no sum", proving({ spent: undefined })],
  ["a sum as a text", proving({ spent: "100" })],
  ["nothing", proving({ spent: 0 })],
  ["less than nothing", proving({ spent: -100 })],
  ["a fraction", proving({ spent: 100.5 })],
  ["less than the price", proving({ spent: 99 })],
  ["a sum out of its turn", proving({ spent: 200 })],
  ["more than the deposit", proving({ spent: 600 })],
  ["no payload", () => show(here.challenge, undefined)],
  ["a larger deposit", () => remaking({ methodDetails: { deposit: "5000" } })()],
  ["a deposit beyond any amount", () => remaking({ methodDetails: { deposit: "9".repeat(15) } })()],
  ["no deposit", () => remaking({ methodDetails: { deposit: undefined } })()],
  ["another currency", () => remaking({ currency: "eur" })()],
  ["another payment in its request", () => remaking({ methodDetails: { payment_intent: "x" } })()],
]

test.each(forged)("%s draws nothing", async (_, shown) => {
  const verdict = await shown()
  expect(verdict).toMatchObject({ paid: false })
  // It is the credential's fault: the seller gets no report, and its service was not asked in vain.
  expect(verdict).not.toMatchObject({ status: 503 })
})

test.each([
  ["a larger deposit", { methodDetails: { deposit: "5000" } }],
  ["a deposit beyond any amount", { methodDetails: { deposit: "9".repeat(15) } }],
  ["a currency that is none", { currency: "x" }],
  ["another currency", { currency: "eur" }],
])("%s closes nothing", async (_, asked) => {
  const verdict = await close({ ...here, challenge: remade(here, asked) }, wall)
  expect(verdict).toMatchObject({ paid: false, status: 402 })
})

describe("after the seller has changed its terms", () => {
  const changes: ReadonlyArray<readonly [string, Partial<SessionTerms>]> = [
    ["a lower price", { price: 90 }],
    ["a higher price", { price: 110 }],
    ["another deposit", { deposit: { currency: "USD", value: 800 } }],
    ["another currency", { deposit: { currency: "EUR", value: 500 } }],
  ]

  test.each(changes)("%s lets a session be closed, and its rest refunded", async (_, changed) => {
    const session = await paid()
    expect(await draw(session, 100)).toMatchObject({ paid: true })
    const now = requireSession({ ...terms, ...changed })
    expect(await close(session, now)).toMatchObject({ status: 200 })
    expect(await refundedOf(session.payload.payment_intent)).toBe(400)
  })

  test.each([90, 110])("a price of %i is drawn only by who has agreed to it", async (price) => {
    const session = await paid()
    expect(await draw(session, 100)).toMatchObject({ paid: true })
    const now = requireSession({ ...terms, price, deposit: { currency: "USD", value: 800 } })
    expect(await draw(session, 200, now)).toMatchObject({ status: 402, body: { drawn: 100 } })
    const passed = await draw(session, 100 + price, now)
    expect(passed).toMatchObject({ paid: true })
    expect(await close(session, now)).toMatchObject({ status: 200 })
    expect(await refundedOf(session.payload.payment_intent)).toBe(400 - price)
  })

  test("a cheap endpoint's session draws no more cheaply at a dear one of its realm", async () => {
    const cheap = requireSession({ ...terms, price: 1 })
    const session = await paid(cheap)
    expect(await draw(session, 1, cheap)).toMatchObject({ paid: true })
    expect(await draw(session, 2)).toMatchObject({ status: 402 })
    expect(await draw(session, 101)).toMatchObject({ paid: true })
  })

  test("another currency draws nothing", async () => {
    const session = await paid()
    const now = requireSession({ ...terms, deposit: { currency: "EUR", value: 500 } })
    expect(await draw(session, 100, now)).toMatchObject({ status: 402 })
    expect(await draw(session, 100)).toMatchObject({ paid: true })
  })
})

test("each sum is drawn once, of many at two servers, and never over the deposit", async () => {
  for (const spent of [100, 200, 300, 400, 500]) {
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, n) => draw(here, spent, n % 2 ? wall : other)),
    )
    expect(all.filter((verdict) => verdict.paid)).toHaveLength(1)
  }
  expect(await draw(here, 600)).toMatchObject({ paid: false, status: 402 })
  expect(await draw(here, 500)).toMatchObject({ body: { code: "PAYMENT_PROOF_USED", drawn: 500 } })
})

test("the reference client, unchanged, deposits once, and gets the rest back", async () => {
  const sandbox = sandboxWallet({ baseUrl: app.url, apiKey: app.buyer.api_key.key })
  const orders: Array<string> = []
  let lost = false
  const payer = mppPayer(
    async (request) => {
      const response = await wall.fetch(request, () => Response.json({}), client())
      if (!lost) return response
      lost = false
      throw new TypeError("The connection was lost.")
    },
    { pay: (order) => (orders.push(order.id), sandbox.pay(order)) },
    { currency: "USD", perCall: 500, total: 1_000 },
  )
  const { fetch: paying } = Mppx.create({ ...payer, polyfill: false })
  const receipts = []
  for (const response of [await paying(url), await paying(url)]) {
    expect(response.status).toBe(200)
    receipts.push(Receipt.fromResponse(response))
  }
  expect(receipts).toMatchObject([{ left: "400" }, { left: "300" }])
  lost = true
  await expect(paying(url)).rejects.toThrow("lost")
  // The lost answer was drawn, and the next one is drawn after it.
  expect(Receipt.fromResponse(await paying(url))).toMatchObject({ drawn: "400", left: "100" })
  expect(orders).toHaveLength(1)
  await payer.close()
  const [payment_intent = ""] = orders
  expect(await refundedOf(payment_intent)).toBe(100)
})
