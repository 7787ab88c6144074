import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { changePlan } from "../../../core/accounts/changePlan.ts"
import { createAccount } from "../../../core/accounts/createAccount.ts"
import { closeMonth } from "../../../core/billing/closeMonth.ts"
import { readBill } from "../../../core/billing/readBill.ts"
import { endOf, monthOf, nextMonth, startOf } from "../../../core/shared/Month.ts"
import { getStatement, listStatements } from "../../../core/billing/showStatements.ts"
import { showUsage } from "../../../core/billing/showUsage.ts"
import { enter } from "../../../core/ledger/enter.ts"
import { journalsOf } from "../../../core/payments/IntentJournals.ts"
import { createIntent } from "../../../core/payments/createIntent.ts"
import { createQuote } from "../../../core/quotes/createQuote.ts"
import { expireIntent } from "../../../core/payments/expireIntent.ts"
import { leave } from "../../../core/payments/leave.ts"
import { payQuote } from "../../../core/payments/payQuote.ts"
import { Rates } from "../../../core/ports/Rates.ts"
import { Store } from "../../../core/ports/Store.ts"
import { feesFrom } from "../../../core/pricing/Price.ts"
import { showReconciliation } from "../../../core/reports/showReconciliation.ts"
import { Failure } from "../../../core/shared/Failure.ts"
import { DAY, HOUR, MINUTE, SECOND } from "../../../core/shared/Timestamp.ts"
import { oneTimeIn, T0 } from "../../support/records.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { as, codeOf, seed, seller, world } from "../../support/world.ts"

const usd = (value: number) => ({ currency: "USD", value })

const open = (plan: "starter" | "pro" = "starter") =>
  Effect.gen(function* () {
    const { id } = yield* createAccount({
      name: "Billed",
      kind: "seller",
      agent_id: "billed",
      plan,
    })
    const account = yield* (yield* Store).find("account", id)
    if (account === undefined) return yield* Effect.die("no account")
    return as(account)
  })

/** A worker that makes the due statements, one after another. */
const work = Effect.gen(function* () {
  const store = yield* Store
  let made = 0
  while (true) {
    const now = yield* Clock.currentTimeMillis
    const due = yield* store.claimDue("billing_cycle", now, { limit: 10, lease: 30 * SECOND })
    if (due.length === 0) return made
    yield* Effect.forEach(due, closeMonth)
    made += due.length
  }
})

const monthsOf = (caller: ReturnType<typeof as>) =>
  Effect.map(listStatements(caller, { limit: 100 }), ({ data }) =>
    data.map(({ month }) => month).toReversed(),
  )

type World = Layer.Success<ReturnType<typeof world>>

const run = <A, E>(test: Effect.Effect<A, E, World>) =>
  Effect.suspend(() => Effect.provide(test, world(makeScript())))

const expected = (from: string, count: number) => {
  const months = [from]
  while (months.length < count) months.push(nextMonth(months.at(-1) ?? from))
  return months
}

describe("a bill", () => {
  it.effect.each(["readCounters", "countQrCodes"] as const)(
    "has every QR code, also of payments that are removed before its %s",
    (read) =>
      run(
        Effect.gen(function* () {
          const { id: service_id } = yield* seed()
          const store = yield* Store
          const ids: Array<string> = []
          for (let n = 0; n < 3; n++) {
            const input = {
              service_id,
              amount: usd(699),
              description: "One",
              payer_channel: "wallet_a",
            }
            ids.push((yield* createIntent(as(seller), { ...input, type: "one_time" })).id)
          }
          yield* TestClock.adjust(16 * MINUTE)
          const sweep = Effect.gen(function* () {
            for (const intent of yield* store.findMany("payment_intent", ids)) {
              yield* expireIntent(intent)
            }
            yield* leave(yield* store.findMany("payment_intent", ids))
          })
          const codes = Effect.map(
            readBill({ account_id: seller.id, month: monthOf(T0), plan: "starter", opened_at: T0 }),
            ({ charges }) => charges.find(({ operation }) => operation === "qr-generation")?.count,
          )
          assert.strictEqual(yield* codes, 3)
          const sweeping = Effect.provideContext(sweep, yield* Effect.context<World>())
          const first = Effect.orDie(sweeping)
          const late: Partial<Store["Service"]> =
            read === "readCounters"
              ? { readCounters: (names) => Effect.andThen(first, store.readCounters(names)) }
              : { countQrCodes: (query) => Effect.andThen(first, store.countQrCodes(query)) }
          const swept = { ...store, ...late }
          assert.strictEqual(yield* Effect.provideService(codes, Store, swept), 3)
          assert.strictEqual(yield* codes, 3)
          assert.deepStrictEqual(yield* store.findMany("payment_intent", ids), [])
        }),
      ),
  )
})

describe("statements", () => {
  it.effect("are one a month over eight years, leap days among them, without gap or overlap", () =>
    run(
      Effect.gen(function* () {
        yield* TestClock.setTime(startOf("2027-01") + 9 * DAY)
        const caller = yield* open()
        for (let month = "2027-01"; month !== "2035-01"; month = nextMonth(month)) {
          yield* TestClock.setTime(endOf(month) + MINUTE - 1)
          assert.strictEqual(yield* work, 0)
          yield* TestClock.setTime(endOf(month) + MINUTE)
          assert.strictEqual(yield* work, 1)
        }
        const { data } = yield* listStatements(caller, { limit: 96 })
        const oldest = data.toReversed()
        assert.deepStrictEqual(
          oldest.map(({ month }) => month),
          expected("2027-01", 96),
        )
        for (const [n, statement] of oldest.entries()) {
          const next = oldest[n + 1]
          if (next !== undefined) assert.strictEqual(statement.period_end, next.period_start)
          assert.deepStrictEqual(statement.price, usd(n === 0 ? 2_058 : 2_900))
        }
      }),
    ),
  )

  it.effect("are made up for after months without a worker, each by its own plan", () =>
    run(
      Effect.gen(function* () {
        yield* TestClock.setTime(startOf("2027-11"))
        const caller = yield* open()
        yield* TestClock.setTime(startOf("2027-12") + DAY)
        yield* changePlan(caller.account.id, { plan: "enterprise" })
        yield* TestClock.setTime(startOf("2028-02") + DAY)
        yield* changePlan(caller.account.id, { plan: "pro" })
        yield* TestClock.setTime(startOf("2028-05") + HOUR)
        assert.strictEqual(yield* work, 6)
        assert.strictEqual(yield* work, 0)
        assert.deepStrictEqual(yield* monthsOf(caller), expected("2027-11", 6))
        const { data } = yield* listStatements(caller, { limit: 100 })
        assert.deepStrictEqual(
          data.toReversed().map(({ plan }) => plan),
          ["starter", "enterprise", "enterprise", "enterprise", "pro", "pro"],
        )
      }),
    ),
  )

  it.effect("are made once by two workers, and shown to their account alone", () =>
    run(
      Effect.gen(function* () {
        const store = yield* Store
        yield* TestClock.setTime(startOf("2027-01"))
        const caller = yield* open()
        yield* TestClock.setTime(startOf("2027-02") + MINUTE)
        const now = yield* Clock.currentTimeMillis
        const [slow] = yield* store.claimDue("billing_cycle", now, { limit: 1, lease: SECOND })
        yield* TestClock.setTime(now + SECOND)
        assert.strictEqual(yield* work, 1)
        const late = yield* Effect.flip(closeMonth(slow!))
        assert.strictEqual(late._tag, "Conflict")
        const { data } = yield* listStatements(caller, { limit: 1 })
        const id = data[0]?.id ?? ""
        assert.strictEqual((yield* getStatement(caller, id)).month, "2027-01")
        assert.strictEqual(yield* codeOf(getStatement(as(seller), id)), "NOT_FOUND")
        assert.strictEqual(
          yield* codeOf(listStatements(as(seller), { limit: 1, starting_after: id })),
          "INVALID_QUERY",
        )
      }),
    ),
  )

  it.effect("say what the month was, and usage of the month says the same from then on", () =>
    run(
      Effect.gen(function* () {
        const store = yield* Store
        yield* TestClock.setTime(T0)
        const caller = yield* open()
        const pay = (n: number, currency: string, value: number, at: number) =>
          Effect.gen(function* () {
            const paid = {
              ...oneTimeIn("completed", { n, amount: { currency, value } }),
              payee_account_id: caller.account.id,
              settlement: { currency, value, rate: "1" },
              fees: feesFrom(currency, 0, 0, 0),
            }
            yield* store.commit({ writes: [], ...(yield* enter(journalsOf(undefined, paid), at)) })
          })
        yield* pay(1, "USD", 1_000_000, T0)
        yield* pay(2, "USD", 30_001, endOf(monthOf(T0)) - 1)
        yield* pay(3, "USD", 999, endOf(monthOf(T0)))
        const before = yield* showUsage(caller, {})
        assert.deepStrictEqual(before.volume.total, usd(1_030_001))
        assert.deepStrictEqual(before.volume.above_cap, usd(30_001))
        assert.deepStrictEqual(before.volume.overage, usd(300))
        yield* TestClock.setTime(endOf(monthOf(T0)) + MINUTE)
        yield* work
        const { data } = yield* listStatements(caller, { limit: 1 })
        const { created_at: _at, id: _id, ...bill } = data[0]!
        assert.deepStrictEqual(bill, before)
        assert.deepStrictEqual(yield* showUsage(caller, { month: monthOf(T0) }), before)
        assert.deepStrictEqual((yield* showUsage(caller, {})).volume.total, usd(999))
      }),
    ),
  )
})

describe("statements of a month that was paid in a currency which left the feed", () => {
  /** An account that was paid 1,000,100 USD cents and 500 THB in the first month. */
  const paidAbroad = Effect.gen(function* () {
    yield* TestClock.setTime(startOf("2027-01"))
    const caller = yield* open()
    const pay = (n: number, currency: string, value: number) =>
      Effect.gen(function* () {
        const paid = {
          ...oneTimeIn("completed", { n, amount: { currency, value } }),
          payee_account_id: caller.account.id,
          settlement: { currency, value, rate: "1" },
          fees: feesFrom(currency, 0, 0, 0),
        }
        const journals = yield* enter(journalsOf(undefined, paid), startOf("2027-01"))
        yield* (yield* Store).commit({ writes: [], ...journals })
      })
    yield* pay(1, "USD", 1_000_100)
    yield* pay(2, "THB", 500)
    return caller
  })

  const failing = (code: "INVALID_AMOUNT" | "TEMPORARILY_UNAVAILABLE") => ({
    perDollar: () => Effect.fail(new Failure({ code, message: "There is no rate." })),
  })

  it.effect("wait a week for its rate, and then name it as unconverted, as usage did", () =>
    run(
      Effect.gen(function* () {
        const caller = yield* paidAbroad
        const gone = Effect.provideService(Rates, failing("INVALID_AMOUNT"))
        yield* TestClock.setTime(endOf("2027-01") + 7 * DAY - 1)
        const january = { month: "2027-01" }
        assert.strictEqual(yield* codeOf(work.pipe(gone)), "TEMPORARILY_UNAVAILABLE")
        const before = yield* showUsage(caller, january).pipe(gone)
        yield* TestClock.setTime(endOf("2027-03") + 7 * DAY)
        const { volume } = yield* showUsage(caller, january).pipe(gone)
        assert.deepStrictEqual(before.volume, volume)
        assert.deepStrictEqual(volume, {
          total: usd(1_000_100),
          by_currency: [{ amount: usd(1_000_100), total: usd(1_000_100) }],
          unconverted: [{ currency: "THB", value: 500 }],
          cap: usd(1_000_000),
          above_cap: usd(100),
          overage_percent: "1.0",
          overage: usd(1),
        })
        assert.strictEqual(yield* work.pipe(gone), 3)
        assert.deepStrictEqual(yield* monthsOf(caller), expected("2027-01", 3))
        const { data } = yield* listStatements(caller, { limit: 3 })
        assert.deepStrictEqual(data.at(-1)?.volume, volume)
        assert.notProperty(data[0]?.volume, "unconverted")
        assert.deepStrictEqual((yield* showUsage(caller, january)).volume, volume)
      }),
    ),
  )

  it.effect("wait while all rates are too old, and then have its worth", () =>
    run(
      Effect.gen(function* () {
        const caller = yield* paidAbroad
        yield* TestClock.setTime(endOf("2027-01") + 300 * DAY)
        const old = Effect.provideService(Rates, failing("TEMPORARILY_UNAVAILABLE"))
        assert.strictEqual(yield* codeOf(work.pipe(old)), "TEMPORARILY_UNAVAILABLE")
        yield* TestClock.setTime(endOf("2027-01") + 301 * DAY)
        yield* work
        const { data } = yield* listStatements(caller, { limit: 100 })
        const { volume } = data.at(-1)!
        // 5.00 THB at 32.6 to the dollar.
        assert.deepStrictEqual(volume.total, usd(1_000_115))
        assert.notProperty(volume, "unconverted")
      }),
    ),
  )
})

describe("usage", () => {
  it.effect("counts what was done, once, and not what failed", () =>
    run(
      Effect.gen(function* () {
        const service = yield* seed({ settlement_currency: "USD" })
        const caller = as(seller)
        const terms = { description: "One answer", service_id: service.id } as const
        const input = { ...terms, type: "one_time", amount: usd(699) } as const
        yield* createIntent(caller, { ...input, payer_channel: "wallet_a" })
        yield* createIntent(caller, { ...input, payer_channel: "wallet_b" })
        yield* codeOf(createIntent(caller, { ...input, payer_channel: "wallet_c" }))
        const ask = { amount: usd(699), settlement_currency: "USD", service_id: service.id }
        const quote = yield* createQuote(caller, ask)
        yield* codeOf(createQuote(caller, { ...ask, channels: ["nowhere"] }))
        yield* payQuote(caller, { ...terms, quote_id: quote.id })
        assert.strictEqual(
          yield* codeOf(payQuote(caller, { ...terms, quote_id: quote.id })),
          "QUOTE_USED",
        )
        yield* showReconciliation(caller, { from: "2026-01-01", to: "2026-01-31" })
        yield* codeOf(showReconciliation(caller, { from: "2026-02-01", to: "2026-01-31" }))
        const { operations } = yield* showUsage(caller, {})
        const counts = operations.filter(({ count }) => count > 0)
        assert.deepStrictEqual(
          counts.map(({ count, operation }) => [operation, count]),
          [
            ["qr-generation", 3],
            ["fx-quote", 1],
            ["fx-route", 1],
            ["reconciliation-report", 1],
          ],
        )
        yield* TestClock.setTime(startOf("2026-02"))
        const later = yield* showUsage(caller, { month: "2026-02" })
        assert.isTrue(later.operations.every(({ count }) => count === 0))
      }),
    ),
  )

  it.effect("is shown of months that have begun, and of none to come", () =>
    run(
      Effect.gen(function* () {
        yield* TestClock.setTime(endOf("2026-01") - 1)
        const caller = yield* open()
        for (const month of ["2026-02", "2026-12", "2027-01", "9998-12"]) {
          const failure = yield* Effect.flip(showUsage(caller, { month }))
          assert.deepInclude(failure, { code: "INVALID_QUERY", field: "month" })
        }
        assert.strictEqual((yield* showUsage(caller, { month: "2026-01" })).month, "2026-01")
        assert.strictEqual((yield* showUsage(caller, { month: "2025-12" })).month, "2025-12")
        yield* TestClock.setTime(endOf("2026-01"))
        assert.deepStrictEqual((yield* showUsage(caller, { month: "2026-02" })).price, usd(2_900))
      }),
    ),
  )

  it.effect("names what was paid in a currency that has left the feed, and shows the rest", () =>
    run(
      Effect.gen(function* () {
        yield* TestClock.setTime(T0)
        const caller = yield* open("starter")
        const paid = {
          ...oneTimeIn("completed", { n: 1, amount: { currency: "EUR", value: 500 } }),
          payee_account_id: caller.account.id,
          settlement: { currency: "EUR", value: 500, rate: "1" },
          fees: feesFrom("EUR", 0, 0, 0),
        }
        const journals = yield* enter(journalsOf(undefined, paid), T0)
        yield* (yield* Store).commit({ writes: [], ...journals })
        const noRate = new Failure({ code: "INVALID_AMOUNT", message: "There is no rate." })
        const { price, volume } = yield* Effect.provideService(showUsage(caller, {}), Rates, {
          perDollar: () => Effect.fail(noRate),
        })
        assert.deepStrictEqual(price, usd(2_900))
        assert.deepStrictEqual(volume.unconverted, [{ currency: "EUR", value: 500 }])
        assert.deepStrictEqual(volume.total, usd(0))
      }),
    ),
  )
})
