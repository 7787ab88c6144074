import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { credentialFor } from "../../adapters/http/client/PaymentDemand.ts"
import { parseChallenges } from "../../adapters/http/client/MppChallenge.ts"
import { requirePayment } from "../../adapters/http/paid/402.ts"
import { activeService, ADMIN_KEY, type App, startApp } from "../support/app.ts"

const amount = { currency: "USD", value: 25 }
const PAPER = "https://sold.test/paper"
const resource = "GET /paper"

let app: App
let service: string
let another: string
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  await app.call("PATCH", `/v1/accounts/${app.seller.id}`, {
    key: ADMIN_KEY,
    body: { plan: "enterprise" },
  })
  service = await activeService(app)
  another = await activeService(app, { name: "Another" })
})
afterAll(() => app.stop())

const issue = async (restrictions?: object, by = app.seller.api_key.key) => {
  const reply = await app.call("POST", "/v1/api-keys", { key: by, body: { restrictions } })
  expect(reply.status, reply.text).toBe(201)
  return { id: String(reply.json["id"]), key: String(reply.json["key"]) }
}

const restrictedTo = (restrictions: () => object) => async () => (await issue(restrictions())).key

/** Keys that may not take a payment of the service; each is made anew for each door. */
const NARROW: ReadonlyArray<readonly [name: string, key: () => Promise<string>]> = [
  ["that only reads", restrictedTo(() => ({ routes: ["read"] }))],
  ["that only refunds", restrictedTo(() => ({ routes: ["refund"] }))],
  ["that only manages", restrictedTo(() => ({ routes: ["manage"] }))],
  ["that does all but pay", restrictedTo(() => ({ routes: ["read", "refund", "manage"] }))],
  ["of another service", restrictedTo(() => ({ services: [another] }))],
  [
    "of another service, which may pay",
    restrictedTo(() => ({ services: [another], routes: ["read", "pay"] })),
  ],
  ["of a service that is not there", restrictedTo(() => ({ services: ["none"] }))],
  ["of another agent", restrictedTo(() => ({ agents: ["somebody-else"] }))],
  [
    "of the service, for another agent",
    restrictedTo(() => ({ services: [service], agents: ["somebody-else"] })),
  ],
  ["that works elsewhere", restrictedTo(() => ({ addresses: ["192.0.2.0/24"] }))],
  [
    "that a narrow one has issued",
    async () => {
      const outer = await issue({ services: [another] })
      return (await issue({ services: [another], routes: ["pay"] }, outer.key)).key
    },
  ],
  [
    "that was revoked",
    async () => {
      const { id, key } = await issue()
      expect((await app.call("DELETE", `/v1/api-keys/${id}`)).status).toBe(200)
      return key
    },
  ],
  ["of the buyer", () => Promise.resolve(app.buyer.api_key.key)],
  ["that is a guess", () => Promise.resolve(`ag_sk_test_${"x".repeat(43)}`)],
  ["that is empty", () => Promise.resolve("")],
]

const paywall = (apiKey: string) =>
  requirePayment({ payport: { baseUrl: app.url, apiKey }, service, amount })

const enter = (apiKey: string, headers: Record<string, string> = {}) =>
  paywall(apiKey).fetch(new Request(PAPER, { headers }), () => Response.json({ paper: 7 }))

const whole = () => app.seller.api_key.key

const authorize = (id: string) =>
  app.call("POST", `/v1/sandbox/payment-intents/${id}/simulate`, {
    key: app.buyer.api_key.key,
    body: { action: "authorize" },
  })

const statusOf = async (id: string) =>
  (await app.call("GET", `/v1/payment-intents/${id}`)).json["status"]

/** An authorized payment that the paywall demanded, with the headers that prove it. */
const demanded = async () => {
  const asked = await enter(whole())
  const { payment_intent } = (await asked.json()) as {
    readonly payment_intent: { readonly id: string; readonly token: string }
  }
  const { id, token } = payment_intent
  await authorize(id)
  const [challenge] = parseChallenges(asked.headers.get("WWW-Authenticate") ?? "")
  if (challenge === undefined) throw new Error("There is no challenge.")
  const accepted = { scheme: "payport", network: "payport:sandbox" }
  const signature = { x402Version: 2, accepted, payload: { payment_intent: id, token } }
  return {
    id,
    token,
    ours: { "X-Payment-Intent": id, "X-Payment-Token": token },
    x402: { "PAYMENT-SIGNATURE": btoa(JSON.stringify(signature)) },
    mpp: { Authorization: credentialFor({ id, token }, challenge) },
  }
}

/** A payment that a buyer began for an x402 server, and the body that settles it. */
const begun = async () => {
  const { json } = await app.call("POST", "/v1/x402/payments", {
    key: app.buyer.api_key.key,
    body: { service_id: service, amount, resource: PAPER },
  })
  const { id, token } = json["payment_intent"] as { readonly id: string; readonly token: string }
  await authorize(id)
  const required = {
    scheme: "exact",
    network: "payport:sandbox",
    amount: "25",
    asset: "USD",
    payTo: service,
    maxTimeoutSeconds: 300,
    extra: { resource: PAPER },
  }
  const payload = { x402Version: 2, accepted: required, payload: { payment_intent: id, token } }
  return { id, body: { x402Version: 2, paymentPayload: payload, paymentRequirements: required } }
}

interface Door {
  readonly id: string
  /** Shows the proof by a key; whether it was accepted. */
  readonly show: (key: string) => Promise<boolean>
}

const atPaywall = (form: "ours" | "x402" | "mpp") => async (): Promise<Door> => {
  const proof = await demanded()
  const show = async (key: string) => (await enter(key, proof[form])).status === 200
  return { id: proof.id, show }
}

const ask = async (key: string, path: string, body: object) => {
  const { json, status } = await app.call("POST", path, { key, body })
  return { json, isTaken: status < 300 }
}

const atFacilitator = async (): Promise<Door> => {
  const { body, id } = await begun()
  const show = async (key: string) => {
    const verified = await ask(key, "/v1/x402/verify", body)
    const settled = await ask(key, "/v1/x402/settle", body)
    return verified.json["isValid"] === true || settled.json["success"] === true
  }
  return { id, show }
}

const atRedeem = async (): Promise<Door> => {
  const { id, token } = await demanded()
  const path = `/v1/payment-challenges/${id}/redeem`
  const show = async (key: string) =>
    (await ask(key, path, { service_id: service, amount, resource, token })).isTaken
  return { id, show }
}

const atCapture = async (): Promise<Door> => {
  const { id } = await demanded()
  const show = async (key: string) =>
    (await ask(key, `/v1/payment-intents/${id}/capture`, {})).isTaken
  return { id, show }
}

const DOORS: ReadonlyArray<readonly [name: string, open: () => Promise<Door>]> = [
  ["the paywall, in our own headers", atPaywall("ours")],
  ["the paywall, in those of x402", atPaywall("x402")],
  ["the paywall, by a credential", atPaywall("mpp")],
  ["the facilitator", atFacilitator],
  ["redeem", atRedeem],
  ["capture", atCapture],
]

describe.each(DOORS)("a good proof at %s", (_name, open) => {
  let door: Door
  beforeAll(async () => {
    door = await open()
  })

  test.each(NARROW)("by a key %s is not accepted, and takes no money", async (_key, make) => {
    const key = await make()
    expect(await door.show(key)).toBe(false)
    expect(await statusOf(door.id)).toBe("authorized")
  })

  test("is accepted afterwards by a key that is wide enough", async () => {
    const { key } = await issue({ services: [service], routes: ["pay"] })
    expect(await door.show(key)).toBe(true)
    expect(["captured", "succeeded"]).toContain(await statusOf(door.id))
  })
})

test.each(NARROW)("a key %s asks for no payment at the paywall", async (_name, make) => {
  const before = await app.call("GET", "/v1/payment-intents?limit=1")
  const refused = await enter(await make())
  expect(refused.status).toBe(503)
  const after = await app.call("GET", "/v1/payment-intents?limit=1")
  expect(after.json["data"]).toEqual(before.json["data"])
})
