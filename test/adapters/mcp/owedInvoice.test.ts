import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { activeService, type App, startApp } from "../../support/app.ts"
import { CLIENTS, connected } from "./clients.ts"

let app: App
beforeAll(async () => {
  app = await startApp({ sandbox: true })
})
afterAll(() => app.stop())

const DAY = 86_400
const [, , modern] = CLIENTS

type Said = { readonly [name: string]: unknown }

const market = async (key = app.buyer.api_key.key, path = "/mcp/market") => {
  const agent = await connected(modern.connect, app, key, path)
  return {
    call: async (name: string, args: Said): Promise<Said> => {
      const { text } = await agent.call(name, args)
      return JSON.parse(text) as Said
    },
  }
}

const ask = (method: string, path: string, body?: object, key = app.buyer.api_key.key) =>
  app.call(method, path, { key, ...(body !== undefined && { body }) })

const days = (count: number) => ask("POST", "/v1/sandbox/clock/advance", { seconds: count * DAY })

let count = 0
const aPlan = async () => {
  count++
  return activeService(app, {
    name: `Owed ${count}`,
    payment_methods: { one_time: true, cumulative: true, subscription: true },
    pricing: {
      one_time: [{ amount: 699, currency: "USD", label: "7 days" }],
      cumulative: { unit: "request", rate: "25", billing_cycle: "daily" },
      subscription: [
        { plan_id: "p", name: "P", amount: 500, currency: "USD", interval: "monthly" },
      ],
    },
  })
}

/** A subscription whose first link nobody has used. */
const unpaid = async () => {
  const service_id = await aPlan()
  const agent = await market()
  const subscribed = await agent.call("subscribe", { service_id, plan_id: "p" })
  const { payment_id } = subscribed["payment"] as Said
  await days(2)
  const { invoice_id, next } = await agent.call("get_payment", { payment_id })
  const { subscription_id } = subscribed
  return { agent, service_id, payment_id, invoice_id: String(invoice_id), next, subscription_id }
}

const invoiceOf = async (id: string) => (await ask("GET", `/v1/invoices/${id}`)).json

const payIt = (id: unknown) =>
  ask("POST", `/v1/sandbox/payment-intents/${String(id)}/simulate`, { action: "pay" })

describe("a payment whose link has expired, of an invoice that is owed", () => {
  test("is paid by a new link, and the subscription goes on", async () => {
    const { agent, invoice_id, next, payment_id, service_id, subscription_id } = await unpaid()
    expect(next).toContain("still owed")
    expect(next).toContain(`invoice_id ${invoice_id}`)
    const paying = await agent.call("pay", { service_id, invoice_id })
    expect(paying).toMatchObject({
      status: "pending",
      invoice_id,
      amount: { currency: "USD", value: 500 },
      link: expect.stringContaining("svc://pay/pi_"),
    })
    expect(paying["payment_id"]).not.toBe(payment_id)
    expect(await agent.call("pay", { service_id, invoice_id })).toStrictEqual({
      ...paying,
      replayed: true,
    })
    expect((await agent.call("get_payment", { payment_id }))["next"]).toContain("still owed")
    await payIt(paying["payment_id"])
    expect(await invoiceOf(invoice_id)).toMatchObject({ status: "paid" })
    expect(await agent.call("pay", { service_id, invoice_id })).toMatchObject({
      payment_id: paying["payment_id"],
      paid: true,
      replayed: true,
    })
    expect((await agent.call("get_payment", { payment_id }))["next"]).toContain(
      "Another payment has paid its invoice",
    )
    await days(6)
    const { json } = await ask("GET", `/v1/subscriptions/${String(subscription_id)}`)
    expect(json).toMatchObject({ status: "active" })
    const { payments } = await agent.call("list_payments", { service_id })
    expect(payments).toMatchObject([
      { invoice_id, paid: true },
      { invoice_id, paid: false },
    ])
  })

  test("is answered by its key once", async () => {
    const { agent, invoice_id, service_id } = await unpaid()
    const args = { service_id, invoice_id, idempotency_key: `owed-${count}` }
    const first = await agent.call("pay", args)
    expect(await agent.call("pay", args)).toStrictEqual({ ...first, replayed: true })
    expect(await agent.call("pay", { service_id, idempotency_key: `owed-${count}` })).toMatchObject(
      {
        code: "IDEMPOTENCY_KEY_USED",
      },
    )
  })

  test("is told by a repeated order to subscribe, too", async () => {
    const service_id = await aPlan()
    const agent = await market()
    const order = { service_id, plan_id: "p", idempotency_key: `order-${count}` }
    const { payment } = await agent.call("subscribe", order)
    await ask("POST", `/v1/payment-intents/${String((payment as Said)["payment_id"])}/void`)
    const again = await agent.call("subscribe", order)
    expect(again).toMatchObject({ replayed: true, payment: { paid: false } })
    expect(again["next"]).toContain("still owed")
  })

  test("pays nothing for arguments that contradict it", async () => {
    const { agent, invoice_id, service_id } = await unpaid()
    const other = await aPlan()
    for (const [field, args] of [
      ["service_id", { service_id: other }],
      ["amount", { amount: 699 }],
      ["currency", { currency: "EUR" }],
      ["agent_id", { agent_id: "someone" }],
      ["description", { description: "Rent" }],
    ] as const) {
      expect(await agent.call("pay", { service_id, invoice_id, ...args })).toMatchObject({
        code: "INVALID_REQUEST",
        field,
      })
    }
    const { payments } = await agent.call("list_payments", { service_id })
    expect(payments).toHaveLength(1)
  })

  test("is paid by no other account, and by no key of other services", async () => {
    const { invoice_id, payment_id, service_id } = await unpaid()
    const seller = await market(app.seller.api_key.key)
    expect(await seller.call("pay", { service_id, invoice_id })).toMatchObject({
      code: "FORBIDDEN",
    })
    expect((await seller.call("get_payment", { payment_id }))["next"]).toContain(
      "still owed by the buyer",
    )
    const restrictions = { services: [await aPlan()] }
    const { json } = await ask("POST", "/v1/api-keys", { restrictions })
    const limited = await market(String(json["key"]))
    expect(await limited.call("pay", { service_id, invoice_id })).toMatchObject({
      code: "FORBIDDEN",
    })
    const own = { services: [service_id], agents: [app.buyer.agent_id] }
    const issued = await ask("POST", "/v1/api-keys", { restrictions: own })
    const allowed = await market(String(issued.json["key"]))
    expect(await allowed.call("pay", { service_id, invoice_id })).toMatchObject({ invoice_id })
  })

  test("is paid by its link where other calls of pay are asked for a proof", async () => {
    const { invoice_id, service_id } = await unpaid()
    const byMpp = await market(app.buyer.api_key.key, "/mcp/market?payment=mpp")
    expect(await byMpp.call("pay", { service_id, invoice_id })).toMatchObject({
      status: "pending",
      invoice_id,
    })
  })

  test("is owed no more once its seller has voided it", async () => {
    const { agent, invoice_id, payment_id } = await unpaid()
    await ask("POST", `/v1/invoices/${invoice_id}/void`, undefined, app.seller.api_key.key)
    const { next } = await agent.call("get_payment", { payment_id })
    expect(next).toContain("Its invoice was voided. Nothing is owed.")
  })
})

test("an invoice of use that was given up is paid by the same tool", async () => {
  const service_id = await aPlan()
  const agent = await market()
  const started = await ask("POST", `/v1/services/${service_id}/tab`, {})
  expect(started.status).toBeLessThan(300)
  const use = { agent_id: app.buyer.agent_id, quantity: 4, idempotency_key: `use-${count}` }
  const reported = await ask(
    "POST",
    `/v1/services/${service_id}/usage`,
    use,
    app.seller.api_key.key,
  )
  expect(reported.status).toBeLessThan(300)
  await days(1)
  await days(15)
  const { payments } = await agent.call("list_payments", { service_id })
  const [{ invoice_id, payment_id } = {}] = payments as ReadonlyArray<Said>
  expect(await invoiceOf(String(invoice_id))).toMatchObject({ status: "uncollectible" })
  expect((await agent.call("get_payment", { payment_id }))["next"]).toContain("still owed")
  expect(await agent.call("pay", { service_id, invoice_id })).toMatchObject({
    status: "pending",
    amount: { currency: "USD", value: 100 },
  })
})
