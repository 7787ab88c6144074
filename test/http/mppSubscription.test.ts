import { Challenge, Receipt } from "mppx"
import { Mppx } from "mppx/client"
import { afterAll, beforeAll, expect, test } from "vitest"
import { makeClient, mppPayer, sandboxWallet } from "../../adapters/http/client/entry.ts"
import { encodeFields } from "../../adapters/http/client/Fields.ts"
import {
  type ChallengeParameters,
  type MppChallenge,
  parseChallenges,
  requestOf,
  requestText,
} from "../../adapters/http/client/MppChallenge.ts"
import { idOf } from "../../adapters/http/mpp/binding.ts"
import { type Paywall, requireSubscription } from "../../adapters/http/paid/402.ts"
import { activeService, type App, startApp } from "../support/app.ts"

const plan = (plan_id: string, interval: string, amount: number) => ({
  plan_id,
  name: `The ${plan_id}`,
  amount,
  currency: "USD",
  interval,
  features: ["read"],
})
const sold = {
  payment_methods: { one_time: true, subscription: true },
  pricing: {
    one_time: [{ amount: 699, currency: "USD", label: "7 days" }],
    subscription: [plan("day", "daily", 100), plan("pro", "quarterly", 1_999)],
  },
}

let app: App
let service: string
let wall: Paywall
let buyer: ReturnType<typeof makeClient>
let subscription: string
let here: Shown
let there: Shown
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  service = await activeService(app, sold)
  wall = wallOf("pro")
  buyer = makeClient({ baseUrl: app.url, apiKey: app.buyer.api_key.key })
  const { id, payment } = await buyer.subscriptions.create(service, { plan_id: "pro" })
  subscription = id
  await app.call("POST", `/v1/sandbox/payment-intents/${payment.id}/simulate`, {
    key: app.buyer.api_key.key,
    body: { action: "pay" },
  })
  here = await proven()
  there = await proven()
})
afterAll(() => app.stop())

const wallOf = (name: string, said: object = {}) =>
  requireSubscription({
    payport: { baseUrl: app.url, apiKey: app.seller.api_key.key },
    service,
    plan: name,
    realm: "Papers",
    ...said,
  })

const asked = { method: "GET", url: "https://api.example/papers" }

interface Shown {
  readonly challenge: MppChallenge
  readonly payload: {
    readonly subscription: string
    readonly token: string
    readonly expires_at: string
  }
}

const offer = async (paywall = wall): Promise<MppChallenge> => {
  const verdict = await paywall.check({ ...asked, headers: {} })
  expect(verdict).toMatchObject({ paid: false, status: 402 })
  const [challenge] = parseChallenges(verdict.headers["WWW-Authenticate"] ?? "")
  if (challenge === undefined) throw new Error("There is no challenge.")
  return challenge
}

const proven = async (): Promise<Shown> => {
  const challenge = await offer()
  return { challenge, payload: await prove(challenge) }
}

const prove = (challenge: MppChallenge) =>
  buyer.subscriptions.prove(subscription, { challenge: challenge.id })

const credential = (challenge: unknown, payload: unknown): string =>
  `Payment ${encodeFields({ challenge, payload })}`

const genuine = ({ challenge, payload }: Shown): string => credential(challenge, payload)

const show = (authorization: string, paywall = wall) =>
  paywall.check({ ...asked, headers: { authorization } })

const type = (name: string) => ({ body: { type: `https://paymentauth.org/problems/${name}` } })

/** The challenge with other parameters, and an id computed by somebody with the token. */
const insider = (said: Partial<ChallengeParameters>) => () => {
  const { id: _old, ...parameters } = { ...here.challenge, ...said }
  return credential({ id: idOf(parameters, here.payload.token), ...parameters }, here.payload)
}

const echoing = (said: object) => () => credential({ ...here.challenge, ...said }, here.payload)

const asking = (said: object) => () =>
  echoing({ request: requestText({ ...requestOf(here.challenge), ...said }) })()

const proving = (said: object) => () => credential(here.challenge, { ...here.payload, ...said })

/** Texts similar to the credential of a subscription. */
const forged: ReadonlyArray<readonly [name: string, header: () => string]> = [
  ["an id that is a word", echoing({ id: "guess" })],
  ["the id of another challenge", () => echoing({ id: there.challenge.id })()],
  ["the request of another", () => echoing({ request: there.challenge.request })()],
  ["another realm", echoing({ realm: "Books" })],
  ["another method", echoing({ method: "tempo" })],
  ["the intent charge", echoing({ intent: "charge" })],
  ["more time", echoing({ expires: "2099-01-01T00:00:00.000Z" })],
  ["no time", echoing({ expires: undefined })],
  ["a body", echoing({ digest: "sha-256=:AAAA:" })],
  ["a lower price", asking({ amount: "1" })],
  ["a longer period", asking({ periodCount: "12" })],
  ["another plan", asking({ methodDetails: { service_id: "x", plan_id: "day" } })],
  ["an id made anew with the token", insider({})],
  ["an id made anew for another realm", insider({ realm: "Books" })],
  ["a guessed token", proving({ token: "0".repeat(64) })],
  ["an empty token", proving({ token: "" })],
  ["another proof's token", () => proving({ token: there.payload.token })()],
  ["another proof", () => credential(here.challenge, there.payload)],
  ["another subscription", proving({ subscription: `sub_${"0".repeat(36)}` })],
  ["no subscription", proving({ subscription: "../accounts" })],
  ["a proof with more time", proving({ expires_at: "2099-01-01T00:00:00.000Z" })],
  ["a proof without a time", proving({ expires_at: undefined })],
  ["a time that is none", proving({ expires_at: "tomorrow" })],
  ["a number for a token", proving({ token: 7 })],
  ["no payload", () => credential(here.challenge, undefined)],
  ["no challenge", () => credential(undefined, here.payload)],
  ["half of it", () => genuine(here).slice(0, 300)],
]

test.each(forged)("%s lets nobody in", async (_, header) => {
  const verdict = await show(header())
  expect(verdict.paid).toBe(false)
  expect(verdict.headers["Payment-Receipt"]).toBeUndefined()
  if (!verdict.paid && verdict.status === 402) {
    expect(verdict.body).toMatchObject({ type: expect.stringContaining("paymentauth.org") })
    expect(parseChallenges(verdict.headers["WWW-Authenticate"] ?? "")).toHaveLength(1)
  }
})

test("after all of them the genuine one passes, and passes once, of many at once", async () => {
  const many = () => Array.from({ length: 20 }, (_, n) => show(genuine(here), n % 2 ? wall : again))
  const again = wallOf("pro")
  const all = await Promise.all(many())
  const passed = all.filter((verdict) => verdict.paid)
  expect(passed).toHaveLength(1)
  const receipt = Receipt.deserialize(passed[0]?.headers["Payment-Receipt"] ?? "")
  expect(receipt).toMatchObject({
    status: "success",
    method: "payport",
    subscriptionId: subscription,
  })
  const { json } = await app.call("GET", `/v1/payment-intents/${receipt.reference}`)
  expect(json).toMatchObject({ status: "completed", amount: { value: 1_999 } })
  expect(await show(genuine(here))).toMatchObject({
    status: 402,
    body: { code: "PAYMENT_PROOF_USED" },
  })
})

test("a proof is for its own plan, seller and buyer", async () => {
  const other = wallOf("day")
  const challenge = await offer(other)
  const payload = await prove(challenge)
  expect(await show(credential(challenge, payload), other)).toMatchObject({
    paid: false,
    body: { code: "PAYMENT_PROOF_INVALID" },
  })
  const body = { service_id: service, plan_id: "pro", challenge: challenge.id, ...payload }
  const { subscription: _id, ...proof } = body
  const redeem = `/v1/subscriptions/${subscription}/redeem`
  const thief = await app.call("POST", redeem, { key: app.buyer.api_key.key, body: proof })
  expect(thief.json["code"]).toBe("PAYMENT_PROOF_INVALID")
  const sellers = await app.call("POST", `/v1/subscriptions/${subscription}/proofs`, {
    body: { challenge: "x" },
  })
  expect(sellers.json["code"]).toBe("FORBIDDEN")
})

test("the challenge is as the reference library writes it, and asks for each quarter", async () => {
  const response = await wall.fetch(new Request(asked.url), () => Response.json({}))
  const [challenge] = Challenge.fromResponseList(response)
  if (challenge === undefined) throw new Error("There is no challenge.")
  expect(Challenge.serialize(challenge)).toBe(response.headers.get("WWW-Authenticate"))
  expect(challenge).toMatchObject({
    intent: "subscription",
    request: { amount: "1999", currency: "usd", periodUnit: "month", periodCount: "3" },
  })
})

const payerOf = (paywall: Paywall, apiKey: string, mostPayments = 5) => {
  const orders: Array<string> = []
  const sandbox = sandboxWallet({ baseUrl: app.url, apiKey })
  const payer = mppPayer(
    (request) => paywall.fetch(request, () => Response.json({ read: true })),
    { pay: (order) => (orders.push(order.id), sandbox.pay(order)) },
    { currency: "USD", perCall: 2_000, total: 5_000, mostPayments },
    { account: { baseUrl: app.url, apiKey }, patience: 20_000 },
  )
  return { orders, paying: Mppx.create({ ...payer, polyfill: false }).fetch }
}

test("the reference client, unchanged, subscribes, and pays each period once", async () => {
  const apiKey = app.buyer.api_key.key
  const { orders, paying } = payerOf(wallOf("day"), apiKey)
  const two = await Promise.all([paying(asked.url), paying(asked.url)])
  expect(two.map(({ status }) => status)).toEqual([200, 200])
  const receipts = two.map((response) => Receipt.fromResponse(response))
  expect(new Set(receipts.map(({ subscriptionId }) => subscriptionId)).size).toBe(1)
  expect(orders).toEqual([receipts[0]?.reference])
  const later = payerOf(wallOf("day"), apiKey)
  expect((await later.paying(asked.url)).status).toBe(200)
  expect(later.orders).toEqual([])
  await app.call("POST", "/v1/sandbox/clock/advance", { body: { seconds: 86_400 } })
  const next = await paying(asked.url)
  expect(next.status).toBe(200)
  expect(orders).toHaveLength(2)
  expect(Receipt.fromResponse(next).reference).toBe(orders[1])
  expect((await paying(asked.url)).status).toBe(200)
  expect(orders).toHaveLength(2)
})

test("one that has ended is told so, and so is one whose payment was given back", async () => {
  const waiting = await proven()
  const late = await proven()
  await app.call("POST", "/v1/sandbox/clock/advance", { body: { seconds: 301 } })
  expect(await show(genuine(late))).toMatchObject(type("payment-expired"))
  const fresh = await proven()
  await buyer.subscriptions.cancel(subscription, { now: true })
  for (const shown of [fresh, waiting]) {
    expect(await show(genuine(shown))).toMatchObject({ paid: false, status: 402 })
  }
  expect(await show(genuine(fresh))).toMatchObject({
    ...type("verification-failed"),
    body: { code: "PAYMENT_REQUIRED", message: expect.stringContaining("ended") },
  })
  await expect(prove(fresh.challenge)).rejects.toMatchObject({
    code: "PAYMENT_REQUIRED",
    details: { status: "cancelled" },
  })
})
