import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { activeService, type App, startApp } from "../support/app.ts"

/** Payments whose price is not there, or not any more, which no door takes for paid. */

const RESOURCE = "https://shop.example/reports/7"
const WHOLE = 500
const usd = (value: number) => ({ currency: "USD", value })

let app: App
let service = ""
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  service = await activeService(app)
})
afterAll(() => app.stop())

const send = (path: string, body: object = {}, headers: { [name: string]: string } = {}) =>
  app.call("POST", path, { key: app.seller.api_key.key, body, headers })

interface Proof {
  readonly id: string
  readonly token: string
}

const bound = () => ({ service_id: service, amount: usd(WHOLE), resource: RESOURCE })

/** A challenge that its payer has authorized. */
const authorized = async (said: object = {}): Promise<Proof> => {
  const asked = { ...bound(), ...said }
  const { json } = await vi.waitUntil(
    async () => {
      const reply = await send("/v1/payment-challenges", asked)
      // A fast machine asks a channel more often than it answers in a second.
      return reply.status === 503 ? undefined : reply
    },
    { timeout: 20_000, interval: 200 },
  )
  const { id, token } = json["payment_intent"] as Proof
  for (const action of ["scan", "authorize"]) {
    await send(`/v1/sandbox/payment-intents/${id}/simulate`, { action })
  }
  return { id, token }
}

const asked = (scheme: string, amount: number) => ({
  scheme,
  network: "payport:sandbox",
  amount: String(amount),
  asset: "USD",
  payTo: service,
  maxTimeoutSeconds: 300,
  extra: { resource: RESOURCE },
})

const facilitate = async (
  verb: "settle" | "verify",
  { id, token }: Proof,
  scheme: string,
  { amount = WHOLE, type }: { readonly amount?: number; readonly type?: string } = {},
  headers: { [name: string]: string } = {},
) => {
  const payload = { payment_intent: id, token, ...(type !== undefined && { type }) }
  const paymentPayload = { x402Version: 2, accepted: asked(scheme, WHOLE), payload }
  const body = { x402Version: 2, paymentPayload, paymentRequirements: asked(scheme, amount) }
  return (await send(`/v1/x402/${verb}`, body, headers)).json
}

const use = async (what: "close" | "draw" | "redeem", { id, token }: Proof, said: object = {}) => {
  const body = { ...bound(), token, ...said }
  const { json, status } = await send(`/v1/payment-challenges/${id}/${what}`, body)
  return status === 200 ? "accepted" : json["code"]
}

/** Every way to take a proof for a payment of the whole price. */
const DOORS: ReadonlyArray<[string, (proof: Proof) => Promise<unknown>]> = [
  ["verified", async (proof) => (await facilitate("verify", proof, "exact"))["isValid"]],
  ["verified by use", async (proof) => (await facilitate("verify", proof, "upto"))["isValid"]],
  ["settled", async (proof) => (await facilitate("settle", proof, "exact"))["success"]],
  ["settled by use", async (proof) => (await facilitate("settle", proof, "upto"))["success"]],
  ["held", async (proof) => (await facilitate("settle", proof, "auth-capture"))["success"]],
  ["redeemed", async (proof) => (await use("redeem", proof)) === "accepted"],
  ["kept", async (proof) => (await use("redeem", proof, { capture: "later" })) === "accepted"],
  [
    "kept in part",
    async (proof) => (await use("redeem", proof, { capture: "in_part" })) === "accepted",
  ],
]

const capture = ({ id }: Proof, value: number) =>
  send(`/v1/payment-intents/${id}/capture`, { amount: usd(value) })

const refund = ({ id }: Proof, value: number) =>
  send("/v1/refunds", { payment_intent: id, amount: usd(value) })

/** Each makes a payment of which less than the price is there. */
const SHORT: ReadonlyArray<[string, () => Promise<Proof>]> = [
  [
    "a deposit that is drawn from",
    async () => {
      const proof = await authorized({ idle_seconds: 60 })
      expect(await use("draw", proof, { price: 5, spent: 5 })).toBe("accepted")
      return proof
    },
  ],
  [
    "a deposit that was closed after a draw",
    async () => {
      const proof = await authorized()
      expect(await use("draw", proof, { price: 5, spent: 5 })).toBe("accepted")
      expect(await use("close", proof)).toBe("accepted")
      return proof
    },
  ],
  [
    "a payment with a time that was drawn from",
    async () => {
      const proof = await authorized({ valid_seconds: 3_600 })
      expect(await use("draw", proof, { price: 5, spent: 5 })).toBe("accepted")
      return proof
    },
  ],
  [
    "a payment with a time that was drawn from and closed",
    async () => {
      const proof = await authorized({ valid_seconds: 3_600 })
      expect(await use("draw", proof, { price: 5, spent: 5 })).toBe("accepted")
      expect(await use("close", proof)).toBe("accepted")
      return proof
    },
  ],
  [
    "a payment that was captured in part",
    async () => {
      const proof = await authorized()
      expect((await capture(proof, 100)).status).toBe(200)
      return proof
    },
  ],
  [
    "a payment that was given back in part",
    async () => {
      const proof = await authorized()
      expect((await capture(proof, WHOLE)).status).toBe(200)
      expect((await refund(proof, 495)).status).toBe(201)
      return proof
    },
  ],
  [
    "a payment that was given back",
    async () => {
      const proof = await authorized()
      expect((await capture(proof, WHOLE)).status).toBe(200)
      expect((await refund(proof, WHOLE)).status).toBe(201)
      return proof
    },
  ],
  [
    "a payment that was voided",
    async () => {
      const proof = await authorized()
      expect((await send(`/v1/payment-intents/${proof.id}/void`)).status).toBe(200)
      return proof
    },
  ],
]

describe.each(SHORT)("%s", (_, make) => {
  test.each(DOORS)("is not %s", async (_door, isAccepted) => {
    expect(await isAccepted(await make())).toBe(false)
  })

  test("is not settled under a key", async () => {
    const headers = { "idempotency-key": crypto.randomUUID() }
    expect(await facilitate("settle", await make(), "exact", {}, headers)).toMatchObject({
      success: false,
    })
  })
})

test("a whole payment is let in by each door", async () => {
  for (const [door, isAccepted] of DOORS) {
    expect(await isAccepted(await authorized()), door).toBe(true)
  }
})

describe("a settled payment", () => {
  test("is not settled again once a part was given back", async () => {
    const proof = await authorized()
    const first = await facilitate("settle", proof, "exact")
    expect(first).toMatchObject({ success: true, amount: String(WHOLE) })
    expect(await facilitate("settle", proof, "exact")).toEqual(first)
    await refund(proof, 1)
    expect(await facilitate("settle", proof, "exact")).toMatchObject({
      success: false,
      errorReason: "payment_refunded",
    })
  })

  test("that was held is its captured part alone", async () => {
    const proof = await authorized()
    const held = () => facilitate("settle", proof, "auth-capture")
    expect(await held()).toMatchObject({ success: true })
    const taken = () =>
      facilitate("settle", proof, "auth-capture", { amount: 100, type: "capture" })
    const first = await taken()
    expect(first).toMatchObject({ success: true, amount: "100" })
    expect(await taken()).toEqual(first)
    const refused = { success: false, errorReason: "payment_already_settled" }
    expect(await facilitate("settle", proof, "exact")).toMatchObject(refused)
    expect(await held()).toMatchObject(refused)
    await refund(proof, 40)
    expect(await taken()).toMatchObject({ success: false, errorReason: "payment_refunded" })
  })
})

test("what was redeemed for a time stays open until all of it was given back", async () => {
  const proof = await authorized({ valid_seconds: 3_600 })
  expect(await use("redeem", proof)).toBe("accepted")
  await refund(proof, 100)
  expect(await use("redeem", proof)).toBe("accepted")
  expect(await use("draw", proof, { price: 5, spent: 5 })).toBe("PAYMENT_PROOF_USED")
  await refund(proof, WHOLE - 100)
  expect(await use("redeem", proof)).toBe("PAYMENT_REQUIRED")
})

test("no challenge is a deposit with a time", async () => {
  const said = { ...bound(), idle_seconds: 60, valid_seconds: 3_600 }
  const { json, status } = await send("/v1/payment-challenges", said)
  expect([status, json["code"], json["field"]]).toEqual([422, "INVALID_REQUEST", "idle_seconds"])
})
