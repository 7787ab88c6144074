import { Effect, Exit, Scope } from "effect"
import { expect, onTestFinished, test } from "vitest"
import { callerOf, manifest, startOn, temporaryFolder, until } from "../apps/server/service.ts"
import { askDatabase, urlOf } from "../support/askDatabase.ts"
import { testDatabase } from "../support/postgres.ts"

const ADMIN_KEY = "the-operator-of-the-statements"
const SELLER_KEY = `sk_test_${"b".repeat(43)}`
const PAYMENTS = 200

const MINUTE = 60

/** Returns the seconds until the first minute of the next month. */
const toNextMonth = (moment: Date): number => {
  const next = Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1)
  return Math.ceil((next - moment.getTime()) / 1_000) + MINUTE
}

/** Repeats a request that a busy machine was too slow for, which may have taken effect. */
const answered = (ask: Parameters<typeof until>[0]) => until(ask, ({ status }) => status !== 503)

/** The statement shows the sum of all settled payments, whichever process settled them. */
test("200 payments at two processes are a month's volume and overage, exactly", async () => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const database = await Effect.runPromise(Scope.provide(testDatabase, scope))
  const folder = await temporaryFolder()
  const settings = {
    PAYPORT_DATABASE_URL: urlOf(database),
    PAYPORT_ADMIN_KEY: ADMIN_KEY,
    PAYPORT_DEMO_SELLER_KEY: SELLER_KEY,
    PAYPORT_RATE_LIMITS: "off",
  }
  const [one, two] = await Promise.all([startOn(folder, settings), startOn(folder, settings)])
  const operator = callerOf(one.url, ADMIN_KEY)
  // The demo seller gets anonymous payments up to a limit. From the next month on, it is on the
  // smallest plan, to test the plan's cap.
  const accounts = (await operator("GET", "/v1/accounts")).body["data"] as ReadonlyArray<{
    readonly id: string
    readonly kind: string
  }>
  const seller = accounts.find(({ kind }) => kind === "seller")?.id ?? ""
  expect((await operator("PATCH", `/v1/accounts/${seller}`, { plan: "starter" })).status).toBe(200)
  // No day more than it takes: on each, thirteen channels' statements are compared.
  const advance = ({ url }: typeof one, seconds: number) =>
    callerOf(url, SELLER_KEY)("POST", "/v1/sandbox/clock/advance", { seconds })
  expect((await advance(one, toNextMonth(new Date()))).status).toBe(200)
  const another = { name: "Idle", kind: "seller", agent_id: "idle" }
  expect((await operator("POST", "/v1/accounts", another)).status).toBe(201)
  const key = SELLER_KEY
  const [first, second] = [callerOf(one.url, key), callerOf(two.url, key)]
  // A process that does not know the new time yet would make payments that the other expires. The
  // process that moves the clock knows the new time.
  const caughtUp = await advance(two, 1)
  expect(caughtUp.status).toBe(200)
  const service = await first("POST", "/v1/services", manifest("http://127.0.0.1:9/hooks"))
  expect(service.status).toBe(201)
  const service_id = String(service.body["id"])
  expect((await first("PATCH", `/v1/services/${service_id}/activate`)).status).toBe(200)

  const value = (n: number) => 7_001 + 13 * n
  const pay = async (n: number) => {
    const [here, there] = n % 2 === 0 ? [first, second] : [second, first]
    const made = await here("POST", "/v1/payment-intents", {
      service_id,
      type: "one_time",
      amount: { currency: "USD", value: value(n) },
      description: "A dear answer",
      payer_channel: "wallet_b",
    })
    expect(made).toMatchObject({ status: 201 })
    const intent = `/v1/payment-intents/${String(made.body["id"])}`
    const play = (action: string) =>
      answered(() => there("POST", `/v1/sandbox${intent.slice(3)}/simulate`, { action }))
    await play("scan")
    await play("authorize")
    await answered(() => here("POST", `${intent}/capture`))
    await play("settle")
    // Payments whose capture came too late were settled by the channel itself.
    const done = await until(
      () => here("GET", intent),
      ({ body }) => ["succeeded", "expired", "failed"].includes(String(body["status"])),
    )
    return done.body["status"]
  }
  const statuses = await Promise.all(Array.from({ length: PAYMENTS }, (_, n) => pay(n)))
  expect(statuses.filter((status) => status !== "succeeded")).toEqual([])

  const total = statuses.reduce<number>((sum, _, n) => sum + value(n), 0)
  const above = total - 1_000_000
  expect(above).toBeGreaterThan(0)
  const usd = (cents: number) => ({ currency: "USD", value: cents })
  for (const ask of [first, second]) {
    const usage = (await ask("GET", "/v1/usage")).body
    expect(usage["volume"]).toMatchObject({
      total: usd(total),
      by_currency: [{ amount: usd(total), total: usd(total) }],
      cap: usd(1_000_000),
      above_cap: usd(above),
      overage_percent: "1.0",
      // Half a cent is rounded to even.
      overage: usd(Math.round(above / 100 - (above % 200 === 50 ? 0.25 : 0))),
    })
    expect(usage["operations"]).toContainEqual({
      operation: "qr-generation",
      count: PAYMENTS,
      free_allowance: 0,
      billable: PAYMENTS,
      unit_price: "0.001",
      cost: usd(20),
    })
  }

  // The month ends while both look: one statement is made of it, and says the same. One after the
  // other moves the clock, which ends the month in the second half of the way.
  const end = toNextMonth(new Date(String(caughtUp.body["now"])))
  const moved = await Promise.all([one, two].map((each) => advance(each, Math.ceil(end / 2))))
  expect(moved.map(({ status }) => status)).toEqual([200, 200])
  const rows = await askDatabase(
    database,
    "SELECT month, count(*)::int AS n FROM statements GROUP BY account_id, month",
  )
  expect(rows.length).toBeGreaterThanOrEqual(3)
  expect(rows.every(({ n }) => n === 1)).toBe(true)
  const listed = await second("GET", "/v1/billing/statements?limit=100")
  const statements = listed.body["data"] as ReadonlyArray<{ readonly [field: string]: unknown }>
  expect(statements.map(({ volume }) => volume)).toContainEqual(
    expect.objectContaining({ total: usd(total), above_cap: usd(above) }),
  )
  const shown = await first("GET", `/v1/billing/statements/${String(statements[0]?.["id"])}`)
  expect(shown.body).toEqual(statements[0])
}, 600_000)
