import { expect, test } from "vitest"
import { askDatabase } from "../support/askDatabase.ts"
import { call, openShop } from "../support/shop.ts"
import { twoProcesses } from "../support/twoProcesses.ts"

test("200 payments at two processes never pass a spend cap; half are paid at once", async () => {
  const { database, services } = await twoProcesses()
  const shop = await openShop(services[0], "http://127.0.0.1:9/hooks")
  const amount = (value: number) => ({ currency: "USD", value })
  const installed = await call(services[1], "buyer", {
    path: `/v1/services/${shop}/installs`,
    body: {
      auto_pay_limit: amount(3),
      spend_cap: { amount: amount(302), period: "monthly" },
      budget_alerts: [25, 50, 99],
    },
  })
  expect(installed.status).toBe(201)
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) =>
      call(services[n % 2] ?? services[0], "buyer", {
        path: "/v1/payments/one-time",
        body: {
          service_id: shop,
          amount: amount(3 + Number(n % 4 > 1)),
          description: "At once",
          payer: { agent_id: "demo-buyer" },
        },
      }),
    ),
  )
  const made = answers.filter(({ status }) => status === 201)
  const others = answers.filter(({ status }) => status !== 201)
  const codes = new Set(others.map(({ body }) => body["code"]))
  expect([...codes].filter((code) => code !== "SPEND_CAP_EXCEEDED")).toEqual([])
  const spent = made.reduce(
    (sum, { body }) => sum + (body["amount"] as { readonly value: number }).value,
    0,
  )
  expect(spent).toBeLessThanOrEqual(302)
  expect(spent).toBeGreaterThan(302 - 4)
  const counted = await askDatabase(
    database,
    "SELECT DISTINCT value::int AS value FROM counters WHERE counter LIKE 'install_spend:%'",
  )
  expect(counted).toEqual([{ value: spent }])
  const stored = await askDatabase(
    database,
    `SELECT status, auto_paid, amount_value::int AS amount FROM payment_intents
      GROUP BY 1, 2, 3 ORDER BY 3`,
  )
  expect(stored).toEqual([
    { status: "completed", auto_paid: true, amount: 3 },
    { status: "pending", auto_paid: null, amount: 4 },
  ])
  const alerts = await askDatabase(
    database,
    `SELECT (data->>'percent')::int AS percent FROM events WHERE type = 'budget.alert' ORDER BY 1`,
  )
  expect(alerts.map(({ percent }) => percent)).toEqual([25, 50, 99])
  const [debits] = await askDatabase(
    database,
    `SELECT count(*)::int AS debits, count(DISTINCT payment_intent)::int AS payments
      FROM channel_requests WHERE action = 'debit' AND status = 'done'`,
  )
  expect(debits?.["debits"]).toBe(debits?.["payments"])
}, 120_000)

test("200 payments at two processes pass no budget of a key or of what it minted", async () => {
  const { database, services } = await twoProcesses()
  const shop = await openShop(services[0], "http://127.0.0.1:9/hooks")
  const issue = async (buyerKey: string | undefined, value: number) => {
    const amount = { currency: "USD", value }
    const by = { ...services[0], ...(buyerKey !== undefined && { buyerKey }) }
    const body = { restrictions: { budget: { amount, period: "total" } } }
    return String((await call(by, "buyer", { path: "/v1/api-keys", body })).body["key"])
  }
  const parent = await issue(undefined, 120)
  const keys = [parent, await issue(parent, 40), await issue(parent, 30)]
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) =>
      call({ ...(services[n % 2] ?? services[0]), buyerKey: keys[n % 3] ?? parent }, "buyer", {
        path: "/v1/payment-intents",
        body: {
          service_id: shop,
          type: "one_time",
          amount: { currency: "USD", value: 2 },
          description: "At once",
        },
      }),
    ),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(60)
  const refused = answers.filter(({ status }) => status !== 201)
  expect(new Set(refused.map(({ body }) => body["code"]))).toEqual(new Set(["SPEND_CAP_EXCEEDED"]))
  const counted = await askDatabase(
    database,
    "SELECT value::int AS value FROM counters WHERE counter LIKE 'key_spend:%' ORDER BY value DESC",
  )
  expect(counted.map(({ value }) => Number(value))).toEqual([
    120,
    expect.toSatisfy((value: number) => value <= 40),
    expect.toSatisfy((value: number) => value <= 30),
  ])
}, 120_000)

test("one key is one debit, and none begins once the install has gone", async () => {
  const { database, services } = await twoProcesses()
  const shop = await openShop(services[0], "http://127.0.0.1:9/hooks")
  const at = (n: number) => services[n % 2] ?? services[0]
  const amount = { currency: "USD", value: 3 }
  const installs = `/v1/services/${shop}/installs`
  const install = { path: installs, body: { auto_pay_limit: amount } }
  expect((await call(services[1], "buyer", install)).status).toBe(201)
  const pay = (n: number, once?: string) =>
    call(at(n), "buyer", {
      path: "/v1/payments/one-time",
      body: {
        service_id: shop,
        amount,
        description: "At once",
        payer: { agent_id: "demo-buyer" },
      },
      ...(once !== undefined && { once }),
    })

  const repeated = await Promise.all(Array.from({ length: 30 }, (_, n) => pay(n, "the-same")))
  const paid = repeated.filter(({ status }) => status === 201)
  expect(new Set(paid.map(({ text }) => text)).size).toBe(1)
  expect(paid[0]?.body).toMatchObject({ status: "completed", auto_paid: true })
  const refused = repeated.filter(({ status }) => status !== 201)
  expect(new Set(refused.map(({ body }) => body["code"]))).toEqual(
    new Set(refused.length === 0 ? [] : ["IDEMPOTENCY_KEY_IN_PROGRESS"]),
  )
  expect((await pay(1, "the-same")).text).toBe(paid[0]?.text)

  const race = Array.from({ length: 60 }, (_, n) => pay(n))
  await Promise.race(race)
  const gone = await call(services[1], "buyer", { method: "DELETE", path: installs })
  expect(gone.status).toBe(200)
  const after = await Promise.all(Array.from({ length: 6 }, (_, n) => pay(n)))
  expect(after.map(({ body }) => body["status"])).toEqual(after.map(() => "pending"))
  for (const { body, status } of await Promise.all(race)) {
    expect(status).toBe(201)
    const asked = body["status"] === "pending" && typeof body["deeplink"] === "string"
    expect(asked || body["auto_paid"] === true, JSON.stringify(body)).toBe(true)
  }
  const [debits] = await askDatabase(
    database,
    `SELECT count(*)::int AS made, count(DISTINCT payment_intent)::int AS payments,
        count(*) FILTER (WHERE r.status = 'done')::int AS done,
        (SELECT count(*)::int FROM payment_intents WHERE auto_paid) AS auto_paid,
        count(*) FILTER (WHERE r.created_at > m.revoked_at + interval '1 second')::int AS late
      FROM channel_requests r JOIN mandates m ON m.id = r.mandate WHERE action = 'debit'`,
  )
  expect(debits?.["late"]).toBe(0)
  expect(debits?.["auto_paid"]).toBeGreaterThan(0)
  expect(new Set([debits?.["made"], debits?.["payments"], debits?.["done"]])).toEqual(
    new Set([debits?.["auto_paid"]]),
  )
}, 120_000)
