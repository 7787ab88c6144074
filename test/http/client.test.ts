import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { makeClient } from "../../adapters/http/client/client.ts"
import { CreationLimitReached, PayportError } from "../../adapters/http/client/PayportError.ts"
import { aManifest, ADMIN_KEY, type App, startApp } from "../support/app.ts"

let app: App
beforeAll(async () => {
  app = await startApp({ sandbox: true })
})
afterAll(() => app.stop())

const as = (apiKey: string) => makeClient({ baseUrl: app.url, apiKey })
const manifest = (name: string) => {
  const { payment_methods, pricing } = aManifest()
  return {
    name,
    description: "Forecasts for any place on earth.",
    payment_methods,
    pricing,
    accepted_channels: ["wallet_a"],
    qr_mode: "dynamic",
    settlement_currency: "USD",
    endpoint: "https://weather.example/webhooks",
    default_channel: "wallet_a",
  } as const
}

const payment = (service_id: string) => ({
  service_id,
  amount: { currency: "USD", value: 500 },
  description: "A report",
})

describe("a program with the typed client", () => {
  test("sells and buys, from registration to settlement", async () => {
    const seller = as(app.seller.api_key.key)
    const buyer = as(app.buyer.api_key.key)
    const draft = await seller.services.create(manifest("Sold"))
    expect(draft.status).toBe("draft")
    await seller.services.activate(draft.id)
    const found = await buyer.services.search({ q: "sold", limit: 5 })
    expect(found.data.map(({ id }) => id)).toEqual([draft.id])
    expect(found.pagination).toEqual({ total: 1, limit: 5, offset: 0 })

    const made = await buyer.intents.create({ ...payment(draft.id), type: "one_time" })
    const seen: Array<string> = []
    const watching = (async () => {
      for await (const { status } of buyer.intents.watch(made.id)) seen.push(status)
    })()
    await buyer.sandbox.simulate(made.id, { action: "authorize" })
    expect((await seller.intents.capture(made.id)).status).toBe("captured")
    await seller.sandbox.advanceClock({ seconds: 3 })
    expect((await buyer.intents.get(made.id)).status).toBe("succeeded")
    await watching
    expect(seen.at(-1)).toBe("succeeded")
    const listed = await seller.intents.list({ status: "succeeded", limit: 1 })
    expect(listed.data.map(({ id }) => id)).toEqual([made.id])
  })

  test("pays at once by deep link", async () => {
    const seller = as(app.seller.api_key.key)
    const { id } = await seller.services.create(manifest("At once"))
    await seller.services.activate(id)
    const buyer = as(app.buyer.api_key.key)
    const payer = { agent_id: "agent-of-the-buyer" }
    const made = await buyer.payments.create({ ...payment(id), payer })
    expect(made.deeplink).toMatch(/^svc:\/\/pay\/pi_/)
    const paid = await buyer.sandbox.simulate(made.id, { action: "pay" })
    expect(paid.status).toBe("completed")
  })

  test("reads lists to their end, page by page", async () => {
    const seller = as(app.seller.api_key.key)
    const { id } = await seller.services.create(manifest("Bought often"))
    await seller.services.activate(id)
    const buyer = as(app.buyer.api_key.key)
    const made: Array<string> = []
    for (let n = 0; n < 5; n += 1) {
      made.push((await buyer.intents.create({ ...payment(id), type: "one_time" })).id)
    }
    const listed: Array<string> = []
    for await (const one of buyer.intents.list({ service_id: id, limit: 2 })) listed.push(one.id)
    expect(listed).toEqual(made.toReversed())
    for (const name of ["First", "Second", "Third"]) {
      await seller.services.activate((await seller.services.create(manifest(name))).id)
    }
    const found: Array<string> = []
    for await (const one of buyer.services.search({ limit: 2 })) found.push(one.id)
    expect(found.length).toBe((await buyer.services.search()).pagination.total)
    expect(new Set(found).size).toBe(found.length)
  })

  test("learns what the service refuses, a misspelt field too", async () => {
    const buyer = as(app.buyer.api_key.key)
    const refusal = buyer.services.get("unknown")
    await expect(refusal).rejects.toBeInstanceOf(PayportError)
    await expect(refusal).rejects.toBeInstanceOf(Error)
    await expect(refusal).rejects.toMatchObject({
      status: 404,
      code: "NOT_FOUND",
      category: "not_found",
      request_id: expect.stringMatching(/^req_/),
    })
    const misspelt = { name: "Mine", graceperiod: 5 } as object
    await expect(buyer.keys.roll("key_1", misspelt)).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      field: "name",
    })
    await expect(as(`sk_test_${"x".repeat(43)}`).channels.list()).rejects.toMatchObject({
      status: 401,
      code: "INVALID_API_KEY",
    })
  })

  test("rotates its key when the old one ends", async () => {
    const { api_key } = await as(ADMIN_KEY).accounts.create({
      name: "Rotating",
      kind: "buyer",
      agent_id: "agent-rotating",
    })
    let rotated = 0
    const client = makeClient({
      baseUrl: app.url,
      apiKey: `ag_sk_test_${"x".repeat(43)}`,
      rotate: async () => {
        rotated++
        return api_key.key
      },
    })
    expect((await client.channels.list()).data).toHaveLength(13)
    const next = await client.keys.roll(api_key.id)
    expect(next.replaces.id).toBe(api_key.id)
    expect(rotated).toBe(1)
  })

  test("lives as long as it wants, and counts what an agent's session creates", async () => {
    const client = as(app.buyer.api_key.key)
    const unknown = { ...payment("unknown"), type: "one_time" } as const
    for (let n = 0; n < 5; n += 1) {
      await expect(client.intents.create(unknown)).rejects.toMatchObject({ code: "NOT_FOUND" })
    }
    const session = client.session()
    for (let n = 0; n < 3; n += 1) {
      await expect(session.intents.create(unknown)).rejects.toMatchObject({ code: "NOT_FOUND" })
    }
    await expect(session.intents.create(unknown)).rejects.toBeInstanceOf(CreationLimitReached)
    const again = client.session({ intents: 1 }).intents
    await expect(again.create(unknown)).rejects.toMatchObject({ code: "NOT_FOUND" })
    await expect(again.create(unknown)).rejects.toMatchObject({ limit: 1 })
  })

  test("counts all creations of a session, by whichever method they are made", async () => {
    const session = as(app.buyer.api_key.key).session({ intents: 1, payments: 1 })
    const amount = { currency: "USD", value: 500 }
    const unknown = { ...payment(app.seller.id), payer: { agent_id: app.buyer.agent_id } }
    const byQuote = { quote_id: "fxq_none", service_id: app.seller.id, description: "A report" }
    await expect(session.quotes.pay(byQuote)).rejects.toMatchObject({ code: "NOT_FOUND" })
    await expect(session.quotes.pay(byQuote)).rejects.toBeInstanceOf(CreationLimitReached)
    const byQr = session.intents.create({ ...unknown, type: "one_time" })
    await expect(byQr).rejects.toBeInstanceOf(CreationLimitReached)
    for (let n = 0; n < 3; n += 1) {
      expect(await session.payments.attempt({ amount })).toMatchObject({ allowed: true })
    }
    await expect(session.payments.attempt(unknown)).rejects.toMatchObject({ code: "NOT_FOUND" })
    await expect(session.payments.attempt(unknown)).rejects.toBeInstanceOf(CreationLimitReached)
    await expect(session.payments.create(unknown)).rejects.toBeInstanceOf(CreationLimitReached)
  })

  test("counts the subscriptions and invoices of a session, each payment once", async () => {
    const seller = as(app.seller.api_key.key)
    const plan = { plan_id: "basic", name: "Basic", amount: 900, currency: "USD" } as const
    const { id } = await seller.services.create({
      ...manifest("By the month"),
      payment_methods: { subscription: true },
      pricing: { subscription: [{ ...plan, interval: "monthly" }] },
    })
    await seller.services.activate(id)
    const buyer = as(app.buyer.api_key.key)
    const session = buyer.session({ payments: 1 })
    const { latest_invoice, payment: made } = await session.subscriptions.create(id, {
      plan_id: "basic",
      payer: { agent_id: app.buyer.agent_id },
    })
    const invoice = latest_invoice ?? ""
    for (const asked of [
      session.subscriptions.create(id, { plan_id: "basic" }),
      session.invoices.pay(invoice),
      session.payments.create({ ...payment(id), payer: { agent_id: app.buyer.agent_id } }),
    ]) {
      await expect(asked).rejects.toBeInstanceOf(CreationLimitReached)
    }
    const other = buyer.session({ payments: 2 })
    for (let n = 0; n < 3; n += 1) expect((await other.invoices.pay(invoice)).id).toBe(made.id)
    await expect(other.invoices.pay("inv_none")).rejects.toMatchObject({ code: "NOT_FOUND" })
    await expect(other.invoices.pay(invoice)).rejects.toBeInstanceOf(CreationLimitReached)
  })

  test("counts the payments in words of a session, and no other order in words", async () => {
    const seller = as(app.seller.api_key.key)
    const { id } = await seller.services.create(manifest("Tides"))
    await seller.services.activate(id)
    const buyer = as(app.buyer.api_key.key)
    const session = buyer.session({ intents: 1 })
    const invoices = { query: "Which invoices are unpaid?", execute: true }
    const payment = { query: "Pay 1 USD to Tides", execute: true }
    for (let n = 0; n < 2; n += 1) {
      expect(await session.language.answer(invoices)).toMatchObject({ intent: "query_invoice" })
    }
    expect(await session.language.answer(payment)).toHaveProperty("result.id")
    const { action } = await session.language.answer({ query: payment.query })
    expect(action).toMatchObject({ path: "/v1/payment-intents" })
    for (const order of [payment, invoices]) {
      await expect(session.language.answer(order)).rejects.toBeInstanceOf(CreationLimitReached)
    }
    expect(await buyer.language.answer(invoices)).toHaveProperty("result")
  })

  test("iterates over lists whose items have an id of another name", async () => {
    const { kyc } = as(app.buyer.api_key.key)
    const submitted: Array<string> = []
    const appealed: Array<string> = []
    for (let n = 0; n < 3; n += 1) {
      const { verification_id } = await kyc.verify({
        agent_id: `appealing-${n}`,
        level: "enhanced",
        data: {
          email: `appealing${n}@example.com`,
          phone: `+1415555017${n}`,
          country: "GB",
          full_name: "Grace Hopper",
          date_of_birth: "1990-12-09",
          document_type: "passport",
          document_number: `QX55${n}0000`,
        },
      })
      submitted.unshift(verification_id)
      const { appeal_id } = await kyc.appeal({ verification_id, reason: "It is mine." })
      appealed.unshift(appeal_id)
    }
    const { reviews } = as(ADMIN_KEY)
    const listed: Array<string> = []
    for await (const one of reviews.list({ limit: 1 })) listed.push(one.verification_id)
    expect(listed).toEqual(submitted)
    const appeals: Array<string> = []
    for await (const one of reviews.listAppeals({ limit: 2 })) appeals.push(one.appeal_id)
    expect(appeals).toEqual(appealed)
  })

  test("iterates over a list while it deletes or cancels what it gets", async () => {
    const seller = as(app.seller.api_key.key)
    for (let n = 0; n < 5; n += 1) {
      const url = `https://deleted.example/${n}`
      await seller.webhooks.createEndpoint({ url, enabled_events: ["*"] })
    }
    for await (const { id } of seller.webhooks.listEndpoints({ limit: 2 })) {
      await seller.webhooks.deleteEndpoint(id)
    }
    expect((await seller.webhooks.listEndpoints()).data).toEqual([])

    const buyer = as(app.buyer.api_key.key)
    const plan = { plan_id: "p", name: "P", amount: 900, currency: "USD", features: [] }
    for (let n = 0; n < 5; n += 1) {
      const { id } = await seller.services.create({
        ...manifest(`Subscribed ${n}`),
        payment_methods: { subscription: true },
        pricing: { subscription: [{ ...plan, interval: "monthly" }] },
      })
      await seller.services.activate(id)
      await buyer.subscriptions.create(id, { plan_id: "p" })
    }
    for await (const { id } of buyer.subscriptions.list({ status: "active", limit: 2 })) {
      await buyer.subscriptions.cancel(id, { now: true })
    }
    expect((await buyer.subscriptions.list({ status: "active" })).data).toEqual([])
  })
})
