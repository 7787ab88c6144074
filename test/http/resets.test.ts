import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { activeService, type App, startApp } from "../support/app.ts"

let app: App
beforeAll(async () => {
  app = await startApp({ sandbox: true })
})
afterAll(() => app.stop())

const asBuyer = (method: string, path: string, body?: object) =>
  app.call(method, path, { key: app.buyer.api_key.key, ...(body !== undefined && { body }) })

const reset = async () => {
  expect((await asBuyer("POST", "/v1/sandbox/reset", {})).status).toBe(200)
}

const advance = (seconds: number) =>
  app.call("POST", "/v1/sandbox/clock/advance", { body: { seconds } })

const statusOf = async (path: string) => (await app.call("GET", path)).json["status"]

/** Makes a payment of 900 by the buyer, which is authorized. */
const authorized = async (service_id: string) => {
  const made = await asBuyer("POST", "/v1/payment-intents", {
    service_id,
    type: "one_time",
    amount: { currency: "USD", value: 900 },
    description: "One",
  })
  const path = `/v1/payment-intents/${String(made.json["id"])}`
  const simulated = `/v1/sandbox${path.slice(3)}/simulate`
  await asBuyer("POST", simulated, { action: "authorize" })
  return path
}

describe("a buyer's reset", () => {
  test("leaves its payments to the seller, whose books stay whole", async () => {
    const pricing = { one_time: [{ amount: 900, currency: "USD", label: "One" }] }
    const service = await activeService(app, { name: "Shop", pricing })
    const [settled, captured, open] = [
      await authorized(service),
      await authorized(service),
      await authorized(service),
    ]
    await app.call("POST", `${settled}/capture`)
    await advance(3)
    expect(await statusOf(settled)).toBe("succeeded")
    const refund = await app.call("POST", "/v1/refunds", {
      body: { payment_intent: settled.slice(-39), reason: "requested_by_customer" },
    })
    expect(refund.json["status"]).toBe("pending")
    await app.call("POST", `${captured}/capture`)
    await reset()
    expect((await asBuyer("GET", "/v1/payment-intents")).json["data"]).toStrictEqual([])
    expect((await asBuyer("GET", settled)).status).toBe(404)
    await advance(3)
    expect(await statusOf(captured)).toBe("succeeded")
    expect(await statusOf(`/v1/refunds/${String(refund.json["id"])}`)).toBe("succeeded")
    expect(await statusOf(open)).toBe("authorized")
    await app.call("POST", `${open}/capture`)
    await advance(2 * 86_400)
    expect(await statusOf(open)).toBe("succeeded")
    const listed = await app.call("GET", "/v1/payment-intents")
    expect(listed.json["data"]).toHaveLength(3)
    const { json } = await app.call("GET", "/v1/balance")
    expect(json["balances"]).toMatchObject([
      { currency: "USD", pending: 0, returning: 0, refunds_pending: 0, fees_due: 0 },
    ])
  })

  test("ends its tab with its use: the next one begins at nothing, and takes reports", async () => {
    const service = await activeService(app, {
      name: "By use",
      payment_methods: { cumulative: true },
      pricing: { cumulative: { unit: "call", rate: 1, currency: "USD", billing_cycle: "monthly" } },
    })
    const path = `/v1/services/${service}`
    const report = (quantity: number) =>
      app.call("POST", `${path}/usage`, {
        body: { agent_id: app.buyer.agent_id, quantity, idempotency_key: randomUUID() },
      })
    const used = async () => (await asBuyer("GET", `${path}/tab`)).json["quantity"]
    await asBuyer("POST", `${path}/tab`, {})
    expect((await report(600)).status).toBe(201)
    expect(await used()).toBe("600")
    await reset()
    expect((await asBuyer("GET", `${path}/tab`)).status).toBe(404)
    await asBuyer("POST", `${path}/tab`, {})
    expect(await used()).toBe("0")
    expect((await report(300)).status).toBe(201)
    await advance(40 * 86_400)
    await reset()
    await asBuyer("POST", `${path}/tab`, {})
    expect((await report(1)).status).toBe(201)
    expect(await used()).toBe("1")
  })
})
