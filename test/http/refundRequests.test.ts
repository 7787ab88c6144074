import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createAccount } from "../../core/accounts/createAccount.ts"
import { activeService, type App, startApp } from "../support/app.ts"
import { documentOf, undocumented } from "../support/documented.ts"

const DAY = 86_400

let app: App
let document: Awaited<ReturnType<typeof documentOf>>
let service: string
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  document = await documentOf(app)
  service = await activeService(app, { accepted_channels: ["wallet_a"] })
})
afterAll(() => app.stop())

const usd = (value: number) => ({ currency: "USD", value })

/** Calls as the seller, or as the buyer; a refusal is held against the interface's description. */
const call =
  (who: "seller" | "buyer") =>
  async (path: string, body?: object, headers = {}) => {
    const method = body === undefined ? "GET" : "POST"
    const { key } = app[who].api_key
    const reply = await app.call(method, path, { key, headers, ...(body && { body }) })
    if (reply.status >= 400) expect(undocumented(document, method, path, reply)).toBeUndefined()
    return reply
  }
const seller = call("seller")
const buyer = call("buyer")

/** A payment of 699 that the seller has taken. */
const paid = async () => {
  const body = { service_id: service, type: "one_time", amount: usd(699), description: "A report" }
  const id = String((await buyer("/v1/payment-intents", body)).json["id"])
  await buyer(`/v1/sandbox/payment-intents/${id}/simulate`, { action: "pay" })
  expect((await seller(`/v1/payment-intents/${id}/capture`, {})).json["status"]).toBe("captured")
  return id
}

/** A buyer's refund request for a new payment. */
const asked = async (said: object = {}) => {
  const payment = await paid()
  const body = { payment_intent: payment, reason: "It was for another city.", ...said }
  const { json, status } = await buyer("/v1/refund-requests", body)
  expect(status, JSON.stringify(json)).toBe(201)
  return { payment, id: String(json["id"]), path: `/v1/refund-requests/${String(json["id"])}` }
}

const codeOf = ({ json, status }: Awaited<ReturnType<typeof seller>>) =>
  `${status} ${(json["error"] as { readonly code: string }).code}`

/** Returns an account's last event. */
const lastTold = async (who: typeof seller) =>
  ((await who("/v1/events?limit=1")).json["data"] as ReadonlyArray<object>)[0]

const advance = (seconds: number) =>
  app.call("POST", "/v1/sandbox/clock/advance", { body: { seconds } })

describe("a refund request", () => {
  test("is approved with a refund, which is made once", async () => {
    const { id, path, payment } = await asked({ amount: usd(200) })
    const open = (await seller(path)).json
    expect(open).toMatchObject({ id, status: "open", amount: usd(200), payment_intent: payment })
    const told = { type: "refund.requested", data: { id, amount: usd(200), status: "open" } }
    expect(await lastTold(seller)).toMatchObject(told)
    expect((await buyer(path)).json).toEqual(open)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => seller(`${path}/approve`, {})),
    )
    const made = answers.filter(({ status }) => status === 201)
    expect(made.map(({ json }) => json["amount"])).toEqual([usd(200)])
    const others = answers.filter(({ status }) => status !== 201)
    expect(new Set(others.map(codeOf))).toEqual(new Set(["409 INVALID_TRANSITION"]))
    const refund = made[0]?.json["id"]
    expect((await buyer(path)).json).toMatchObject({ status: "approved", refund })
    const { data } = (await seller(`/v1/refunds?payment_intent=${payment}`)).json
    expect(data).toMatchObject([{ id: refund }])
  })

  test("is answered the same to a retry under its key", async () => {
    const { path } = await asked()
    const headers = { "idempotency-key": randomUUID() }
    const [first, second] = [
      await seller(`${path}/approve`, { amount: usd(100) }, headers),
      await seller(`${path}/approve`, { amount: usd(100) }, headers),
    ]
    expect(first.json).toMatchObject({ amount: usd(100), status: "pending" })
    expect(second.json).toEqual(first.json)
  })

  test("asks for what is left, and not for more; one of a payment is open", async () => {
    const { id, payment } = await asked()
    const more = { payment_intent: payment, reason: "Once more", amount: usd(1) }
    const second = await buyer("/v1/refund-requests", more)
    expect(codeOf(second)).toBe("409 INVALID_TRANSITION")
    expect(second.json["error"]).toMatchObject({ details: { refund_request: id } })
    await buyer(`/v1/refund-requests/${id}/withdraw`, {})
    expect((await buyer("/v1/refund-requests", more)).status).toBe(201)
    const other = await paid()
    const refused = (said: object) =>
      buyer("/v1/refund-requests", { payment_intent: other, reason: "No", ...said }).then(codeOf)
    expect(await refused({ amount: usd(700) })).toBe("409 REFUND_EXCEEDS_PAYMENT")
    expect(await refused({ amount: { currency: "EUR", value: 5 } })).toBe("400 INVALID_AMOUNT")
    expect(await refused({ amount: usd(0) })).toBe("400 INVALID_AMOUNT")
  })

  test("is the payee's to decide, and the buyer's to withdraw", async () => {
    const { path } = await asked()
    expect(codeOf(await buyer(`${path}/approve`, {}))).toBe("403 FORBIDDEN")
    expect(codeOf(await buyer(`${path}/decline`, { reason: "No" }))).toBe("403 FORBIDDEN")
    expect(codeOf(await seller(`${path}/withdraw`, {}))).toBe("403 FORBIDDEN")
    const own = { payment_intent: await paid(), reason: "Mine" }
    expect(codeOf(await seller("/v1/refund-requests", own))).toBe("403 FORBIDDEN")
    const declined = await seller(`${path}/decline`, { reason: "It was downloaded." })
    expect(declined.json).toMatchObject({
      status: "declined",
      decline_reason: "It was downloaded.",
    })
    const { decline_reason } = declined.json
    const told = { type: "refund.declined", data: { status: "declined", decline_reason } }
    expect(await lastTold(buyer)).toMatchObject(told)
    expect(codeOf(await buyer(`${path}/withdraw`, {}))).toBe("409 INVALID_TRANSITION")
    expect(codeOf(await seller(`${path}/approve`, {}))).toBe("409 INVALID_TRANSITION")
  })

  test("of somebody else reads as one that is absent", async () => {
    const { path, payment } = await asked()
    const named = { name: "A stranger", kind: "buyer", agent_id: "stranger" } as const
    const { key } = (await app.run(createAccount(named))).api_key
    const bodyless = await app.call("GET", path, { key })
    const absent = await app.call("GET", `/v1/refund-requests/rr_${randomUUID()}`, { key })
    expect([bodyless.status, absent.status]).toEqual([404, 404])
    for (const act of ["approve", "decline", "withdraw"]) {
      const body = act === "decline" ? { reason: "No" } : {}
      expect((await app.call("POST", `${path}/${act}`, { key, body })).status, act).toBe(404)
    }
    const body = { payment_intent: payment, reason: "Mine" }
    expect((await app.call("POST", "/v1/refund-requests", { key, body })).status).toBe(404)
    const listed = await app.call("GET", `/v1/refund-requests?payment_intent=${payment}`, { key })
    expect(listed.status).toBe(404)
  })

  test("is listed for both, a page at a time", async () => {
    const first = await asked()
    const second = await asked()
    for (const who of [seller, buyer]) {
      const { json } = await who("/v1/refund-requests?limit=1")
      expect(json).toMatchObject({ data: [{ id: second.id }], has_more: true })
      const next = await who(`/v1/refund-requests?limit=1&starting_after=${second.id}`)
      expect(next.json["data"]).toMatchObject([{ id: first.id }])
      const own = await who(`/v1/refund-requests?payment_intent=${first.payment}&status=open`)
      expect(own.json).toMatchObject({ data: [{ id: first.id }], has_more: false })
    }
  })

  test("ends undecided after seven days, and says so before a worker came", async () => {
    const { path } = await asked()
    await advance(7 * DAY - 60)
    expect((await buyer(path)).json["status"]).toBe("open")
    await advance(61)
    expect(codeOf(await seller(`${path}/approve`, {}))).toBe("409 INVALID_TRANSITION")
    await expect.poll(async () => (await buyer(path)).json["status"]).toBe("expired")
  })
})
