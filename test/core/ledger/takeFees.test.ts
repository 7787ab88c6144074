import { it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { enter } from "../../../core/ledger/enter.ts"
import { journalsOf } from "../../../core/payments/IntentJournals.ts"
import { takeFees } from "../../../core/ledger/takeFees.ts"
import { Store } from "../../../core/ports/Store.ts"
import { feesFrom } from "../../../core/pricing/Price.ts"
import {
  DAY,
  fromIso,
  HOUR,
  MINUTE,
  SECOND,
  type Timestamp,
} from "../../../core/shared/Timestamp.ts"
import { id, oneTimeIn, T0 } from "../../support/records.ts"
import { core } from "../../support/core.ts"

const account_id = id("acct", 1)

/** A payment of n that succeeds at a time and costs 5 in a currency. */
const pays = (n: number, at: Timestamp, currency = "USD") =>
  Effect.gen(function* () {
    const store = yield* Store
    const paid = {
      ...oneTimeIn("completed", { n, amount: { currency, value: 500 } }),
      settlement: { currency, value: 500, rate: "1" },
      fees: feesFrom(currency, 2, 0, 3),
    }
    yield* store.commit({ writes: [], ...(yield* enter(journalsOf(undefined, paid), at)) })
  })

/** Returns the rows of fees that left wallets, oldest first. */
const taken = Effect.gen(function* () {
  const store = yield* Store
  const rows = yield* store.listPostings({ account_id, kind: "fees_taken", limit: 100 })
  return rows
    .toReversed()
    .filter(({ ledger_account }) => ledger_account === "merchant_wallet")
    .map(({ amount, created_at, currency }) => [created_at, amount, currency])
})

const owed = Effect.gen(function* () {
  const store = yield* Store
  const balances = yield* store.listBalances(account_id)
  return balances
    .filter(({ ledger_account }) => ledger_account === "fees_due")
    .reduce((sum, { amount }) => sum + amount, 0)
})

/** A worker that handles its claims. After a conflict, it leaves the day for another claim. */
const work = Effect.gen(function* () {
  const store = yield* Store
  const now = yield* Clock.currentTimeMillis
  const days = yield* store.claimDue("fee_day", now, { limit: 10, lease: 30 * SECOND })
  for (const day of days) yield* Effect.ignore(takeFees(day))
})

/** Moves the clock to a time, and stops at every due time on the way. */
const until = (target: Timestamp) =>
  Effect.gen(function* () {
    const store = yield* Store
    for (;;) {
      const next = (yield* store.nextDueAt()) ?? Infinity
      if (next > target) break
      yield* TestClock.setTime(next)
      yield* Effect.all([work, work], { concurrency: "unbounded" })
    }
    yield* TestClock.setTime(target)
  })

const at = (iso: string): Timestamp => fromIso(iso) ?? 0

describe("the fees of a day", () => {
  it.effect("leave the wallet on the next, a minute after midnight, in one journal", () =>
    Effect.gen(function* () {
      yield* pays(1, T0)
      yield* pays(2, T0 + DAY - 1)
      yield* until(T0 + DAY + MINUTE - 1)
      expect(yield* taken).toStrictEqual([])
      expect(yield* owed).toBe(10)
      yield* until(T0 + DAY + MINUTE)
      expect(yield* taken).toStrictEqual([[T0 + DAY + MINUTE, 10, "USD"]])
      expect(yield* owed).toBe(0)
      yield* until(T0 + 40 * DAY)
      expect(yield* taken).toHaveLength(1)
    }).pipe(Effect.provide(core())),
  )

  it.effect("are taken day by day and currency by currency, over the ends of months", () =>
    Effect.gen(function* () {
      const days = ["2028-01-31T23:59:59.999Z", "2028-02-01T00:00:00Z", "2028-02-28T12:00:00Z"]
      yield* TestClock.setTime(at("2028-01-31T00:00:00Z"))
      for (const [n, day] of [...days, "2028-02-29T12:00:00Z"].entries()) yield* pays(n, at(day))
      yield* pays(9, at("2028-02-29T12:00:00Z"), "EUR")
      yield* until(at("2028-03-31T00:00:00Z"))
      const rows = (yield* taken).map((row) => row.join(" "))
      expect(rows).toHaveLength(5)
      expect(new Set(rows)).toStrictEqual(
        new Set([
          `${at("2028-02-01T00:01:00Z")} 5 USD`,
          `${at("2028-02-02T00:01:00Z")} 5 USD`,
          `${at("2028-02-29T00:01:00Z")} 5 USD`,
          `${at("2028-03-01T00:01:00Z")} 5 USD`,
          `${at("2028-03-01T00:01:00Z")} 5 EUR`,
        ]),
      )
      expect(yield* owed).toBe(0)
    }).pipe(Effect.provide(core())),
  )

  it.effect("are taken once, by whichever of ten workers holds the day", () =>
    Effect.gen(function* () {
      const store = yield* Store
      yield* pays(1, T0)
      yield* TestClock.setTime(T0 + DAY + MINUTE)
      const now = T0 + DAY + MINUTE
      const [first] = yield* store.claimDue("fee_day", now, { limit: 1, lease: 30 * SECOND })
      // The first worker sleeps through its lease, and others come.
      yield* TestClock.setTime(now + 31 * SECOND)
      yield* Effect.all(
        Array.from({ length: 10 }, () => work),
        { concurrency: "unbounded" },
      )
      if (first === undefined) throw new Error("nobody was due")
      const late = yield* Effect.flip(takeFees(first))
      expect(late._tag).toBe("Conflict")
      expect(yield* taken).toStrictEqual([[now + 31 * SECOND, 5, "USD"]])
      expect(yield* owed).toBe(0)
    }).pipe(Effect.provide(core())),
  )

  it.effect("that come after they were taken are taken too, and nothing twice", () =>
    Effect.gen(function* () {
      yield* pays(1, T0)
      yield* until(T0 + DAY + HOUR)
      yield* pays(2, T0 + DAY - 1)
      yield* until(T0 + DAY + 2 * HOUR)
      expect((yield* taken).map(([, amount]) => amount)).toStrictEqual([5, 5])
      expect(yield* owed).toBe(0)
    }).pipe(Effect.provide(core())),
  )

  it.effect("wait for their time when they are asked for too early", () =>
    Effect.gen(function* () {
      const store = yield* Store
      yield* pays(1, T0)
      yield* TestClock.setTime(T0)
      const [day] = yield* store.claimDue("fee_day", T0 + 2 * DAY, { limit: 1, lease: 1 })
      if (day === undefined) throw new Error("nobody was due")
      yield* takeFees(day)
      expect(yield* taken).toStrictEqual([])
    }).pipe(Effect.provide(core())),
  )
})
