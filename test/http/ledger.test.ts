import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { activeService, type App, authorizedPayment, startApp } from "../support/app.ts"
import { documentOf, undocumented } from "../support/documented.ts"

let app: App
let document: Awaited<ReturnType<typeof documentOf>>
let service: string
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  document = await documentOf(app)
  service = await activeService(app, { name: "To be paid" })
})
afterAll(() => app.stop())

const advance = (seconds: number) =>
  app.call("POST", "/v1/sandbox/clock/advance", { body: { seconds } })

const authorized = (value: number) => authorizedPayment(app, service, value)

const balance = async () => {
  const { json } = await app.call("GET", "/v1/balance")
  return json["balances"]
}

const nothing = { pending: 0, returning: 0, fees_due: 0, refunds_pending: 0 }

describe("the books of an account over HTTP", () => {
  test("follow a payment from its capture to the day after its success", async () => {
    expect(await balance()).toStrictEqual([])
    const id = await authorized(500)
    expect(await balance()).toStrictEqual([])
    await app.call("POST", `/v1/payment-intents/${id}/capture`)
    const line = { ...nothing, currency: "USD", available: 0 }
    expect(await balance()).toStrictEqual([{ ...line, pending: 500 }])
    await advance(3)
    expect(await balance()).toStrictEqual([{ ...line, available: 500, fees_due: 5 }])
    await advance(86_460)
    expect(await balance()).toStrictEqual([{ ...line, available: 495 }])
    await advance(31 * 86_400)
    expect(await balance()).toStrictEqual([{ ...line, available: 495 }])
  })

  test("list their rows, newest first, by every filter, a page at a time", async () => {
    const list = (query = "") => app.call("GET", `/v1/ledger/entries${query}`)
    const all = await list()
    const rows = all.json["data"] as ReadonlyArray<{ readonly [field: string]: unknown }>
    const shown = rows.map(({ account, amount, kind }) => {
      const { currency, value } = amount as { readonly currency: string; readonly value: number }
      return `${String(kind)}: ${String(account)} ${value} ${currency}`
    })
    expect(shown).toStrictEqual([
      "fees_taken: fees_due -5 USD",
      "fees_taken: merchant_wallet 5 USD",
      "fees: channel_fees -3 USD",
      "fees: service_fees -2 USD",
      "fees: fees_due 5 USD",
      "settled: merchant_wallet -500 USD",
      "settled: payer_clearing 500 USD",
      "captured: payer_clearing -500 USD",
      "captured: channel_clearing 500 USD",
    ])
    const counts: ReadonlyArray<readonly [query: string, rows: number]> = [
      [`?payment_intent=${String(rows.at(-1)?.["payment_intent"])}`, 7],
      ["?payment_intent=pi_019b7726-0000-7000-8000-00000000ffff", 0],
      ["?account=fees_due", 2],
      ["?kind=fees", 3],
      ["?currency=USD", 9],
      ["?currency=EUR", 0],
      [`?starting_after=${String(rows[7]?.["id"])}`, 1],
    ]
    for (const [query, count] of counts) {
      expect((await list(query)).json["data"], query).toHaveLength(count)
    }
    const first = await list("?limit=4")
    expect(first.json["has_more"]).toBe(true)
    expect(first.json["data"]).toStrictEqual(rows.slice(0, 4))
  })

  test("are the account's own, and ask for its key", async () => {
    const { key } = app.buyer.api_key
    expect((await app.call("GET", "/v1/balance", { key })).json["balances"]).toStrictEqual([])
    expect((await app.call("GET", "/v1/ledger/entries", { key })).json["data"]).toStrictEqual([])
    expect((await app.call("GET", "/v1/balance", { key: null })).status).toBe(401)
    expect((await app.call("GET", "/v1/ledger/entries", { key: null })).status).toBe(401)
  })

  test("refuse what cannot be asked", async () => {
    const bad: ReadonlyArray<readonly [query: string, field: string]> = [
      ["payment_intent=1", "payment_intent"],
      ["payment_intent=pi_'%20OR%201=1", "payment_intent"],
      ["account=wallet", "account"],
      ["currency=usd", "currency"],
      ["kind=gift", "kind"],
      ["limit=0", "limit"],
      ["limit=101", "limit"],
      ["limit=ten", "limit"],
      ["starting_after=pi_1", "starting_after"],
      ["starting_after=", "starting_after"],
    ]
    for (const [query, field] of bad) {
      const answer = await app.call("GET", `/v1/ledger/entries?${query}`)
      expect([400, 422], query).toContain(answer.status)
      expect(answer.text, query).toContain(field)
      expect(undocumented(document, "get", "/v1/ledger/entries", answer), query).toBeUndefined()
    }
  })

  test("are closed by a reset and begun anew", async () => {
    await app.call("POST", "/v1/sandbox/reset")
    expect(await balance()).toStrictEqual([])
    expect((await app.call("GET", "/v1/ledger/entries")).json["data"]).toStrictEqual([])
    service = await activeService(app, { name: "To be paid" })
    const id = await authorized(200)
    await app.call("POST", `/v1/payment-intents/${id}/capture`)
    await advance(3)
    expect(await balance()).toMatchObject([{ available: 200, currency: "USD" }])
  })
})
