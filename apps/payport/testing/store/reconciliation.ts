import { Effect } from "effect"
import { expect, unreachable } from "../expect.ts"
import type { ClearingQuery } from "../../../../core/ledger/LedgerQuery.ts"
import type { Posting } from "../../../../core/ledger/Posting.ts"
import { Store } from "../../../../core/ports/Store.ts"
import { DAY, SECOND } from "../../../../core/shared/Timestamp.ts"
import { aDiscrepancy, aJournal, aRun, id, refundIn, T0 } from "../records/index.ts"
import { type StoreCheck, commit, insert, remove, replace, store, upTo } from "./probe.ts"

const day = { channel: "wallet_a", from: T0, to: T0 + DAY, limit: 100 }

const amounts = (query: ClearingQuery) =>
  Effect.flatMap(Store, (port) =>
    Effect.map(port.listClearing(query), (rows) => rows.map(({ amount }) => amount)),
  )

const post = (n: number, said: object) => commit({ writes: [], postings: aJournal({ n, ...said }) })

const clearing = (check: StoreCheck): void => {
  check("is listed by channel and time, oldest first, whoever's it is", () =>
    Effect.gen(function* () {
      yield* post(1, { amount: 3, created_at: T0 + 2 })
      yield* post(2, { amount: 1, created_at: T0 - 1 })
      yield* post(3, { amount: 2, created_at: T0, account_id: id("acct", 2) })
      yield* post(4, { amount: 4, created_at: T0 + DAY - 1, kind: "late_payment" })
      yield* post(5, { amount: 5, created_at: T0 + DAY })
      yield* post(6, { amount: 6, channel: "wallet_b" })
      expect(yield* amounts(day)).toStrictEqual([2, 3, 4])
      expect(yield* amounts({ ...day, channel: "wallet_b" })).toStrictEqual([6])
      expect(yield* amounts({ ...day, channel: "wallet_c" })).toStrictEqual([])
      expect(yield* amounts({ ...day, to: T0 })).toStrictEqual([])
    }),
  )

  check("is listed page by page, many of one moment too", () =>
    Effect.gen(function* () {
      const port = yield* Store
      yield* Effect.forEach(upTo(7), (n) =>
        post(n, { amount: n, created_at: T0 + (n > 5 ? 1 : 0) }),
      )
      expect(yield* amounts({ ...day, limit: 2 })).toStrictEqual([1, 2])
      const seen: Array<number> = []
      let query: ClearingQuery = { ...day, limit: 3 }
      for (let pages = 0; pages < 9; pages += 1) {
        const rows: ReadonlyArray<Posting> = yield* port.listClearing(query)
        seen.push(...rows.map(({ amount }) => amount))
        const after = rows.at(-1)
        if (after === undefined) break
        query = { ...day, limit: 3, after }
      }
      expect(seen).toStrictEqual([1, 2, 3, 4, 5, 6, 7])
    }),
  )

  check("is listed by payments, whenever it was, after the books were closed too", () =>
    Effect.gen(function* () {
      yield* post(1, { amount: 1 })
      yield* post(2, { amount: 2, payment_intent: id("pi", 1), created_at: T0 - 40 * DAY })
      yield* post(3, { amount: 3 })
      yield* post(4, { amount: 4, payment_intent: id("pi", 1), channel: "wallet_b" })
      const of = (...payment_intents: ReadonlyArray<string>) =>
        amounts({ channel: "wallet_a", payment_intents })
      expect(yield* of(id("pi", 1))).toStrictEqual([2, 1])
      expect(yield* of(id("pi", 3), id("pi", 1))).toStrictEqual([2, 1, 3])
      expect(yield* of(id("pi", 9), "nonsense")).toStrictEqual([])
      expect(yield* of()).toStrictEqual([])
      yield* (yield* Store).eraseAccountData(id("acct", 1))
      expect(yield* of(id("pi", 1))).toStrictEqual([2, 1])
      yield* post(7, { amount: 7, created_at: T0 + 1 })
      const rows = yield* (yield* Store).listClearing(day)
      expect(rows.map(({ amount, closed }) => [amount, closed])).toStrictEqual([
        [1, true],
        [3, true],
        [7, false],
      ])
    }),
  )
}

const discrepancies = (check: StoreCheck): void => {
  const found = (said: object) =>
    Effect.flatMap(Store, (port) =>
      port.listDiscrepancies({
        account_id: id("acct", 1),
        from: T0,
        to: T0 + DAY,
        limit: 10,
        ...said,
      }),
    )

  check("are listed by account and time, oldest first, up to a number", () =>
    Effect.gen(function* () {
      const all = [T0 + 1, T0 - 1, T0, T0 + DAY].map((created_at, n) =>
        aDiscrepancy({ n: n + 1, created_at }),
      )
      const other = aDiscrepancy({ n: 9, account_id: id("acct", 2) })
      yield* store(...[...all, other].map((record) => insert("discrepancy", record)))
      expect(yield* found({})).toStrictEqual([all[2], all[0]])
      expect(yield* found({ limit: 1 })).toStrictEqual([all[2]])
      expect(yield* found({ account_id: id("acct", 2) })).toStrictEqual([other])
      expect(yield* found({ account_id: "nonsense" })).toStrictEqual([])
      yield* (yield* Store).eraseAccountData(id("acct", 1))
      expect(yield* found({})).toStrictEqual([])
      expect(yield* found({ account_id: id("acct", 2) })).toStrictEqual([other])
    }),
  )

  check("are listed by the run that found them, until it finds others", () =>
    Effect.gen(function* () {
      const port = yield* Store
      const ofRun = (run: string) => port.listDiscrepancies({ run, limit: 10 })
      const first = aDiscrepancy({ run: id("rrun", 1), kind: "missing_at_channel" })
      const message = aDiscrepancy({ n: 2 })
      yield* store(insert("discrepancy", first), insert("discrepancy", message))
      expect(yield* ofRun(id("rrun", 1))).toStrictEqual([first])
      expect(yield* ofRun(id("rrun", 2))).toStrictEqual([])
      expect(yield* ofRun("nonsense")).toStrictEqual([])
      const second = aDiscrepancy({ n: 3, run: id("rrun", 1), kind: "amount_mismatch" })
      yield* store(remove("discrepancy", first), insert("discrepancy", second))
      expect(yield* ofRun(id("rrun", 1))).toStrictEqual([second])
      expect(yield* found({})).toStrictEqual([message, second])
    }),
  )
}

const runs = (check: StoreCheck): void => {
  check("are listed by day and channel, and found by id", () =>
    Effect.gen(function* () {
      const port = yield* Store
      const made = [
        aRun({ n: 1, channel: "wallet_b" }),
        aRun({ n: 2, channel: "wallet_a" }),
        aRun({ n: 3, day: "2026-01-02" }),
        aRun({ n: 4, day: "2025-12-31" }),
      ]
      yield* store(...made.map((record) => insert("reconciliation_run", record)))
      const listed = (from: string, to: string) =>
        Effect.map(port.listRuns(from, to), (all) => all.map(({ id: run }) => run))
      expect(yield* listed("2026-01-01", "2026-01-02")).toStrictEqual(
        [2, 1, 3].map((n) => id("rrun", n)),
      )
      expect(yield* listed("2025-12-31", "2025-12-31")).toStrictEqual([id("rrun", 4)])
      expect(yield* port.listRuns("2026-01-02", "2026-01-02")).toStrictEqual([made[2]])
      expect(yield* listed("2026-01-02", "2026-01-01")).toStrictEqual([])
      expect(yield* port.find("reconciliation_run", id("rrun", 1))).toStrictEqual(made[0])
      expect(yield* port.find("reconciliation_run", id("rrun", 9))).toBeUndefined()
      expect(yield* port.find("reconciliation_run", "nonsense")).toBeUndefined()
    }),
  )

  check("that are held are nobody else's until they fall due by themselves", () =>
    Effect.gen(function* () {
      const port = yield* Store
      const open = { runs: 0, result: null, completed_at: null, due_at: T0 }
      yield* store(insert("reconciliation_run", aRun(open)))
      const claim = (now: number) =>
        port.claimDue("reconciliation_run", now, { limit: 1, lease: 30 * SECOND })
      const [claimed] = yield* claim(T0)
      if (claimed === undefined) return unreachable("The run is due.")
      yield* store(replace("reconciliation_run", { ...claimed, due_at: T0 + 300 * SECOND }))
      expect(yield* claim(T0 + 299 * SECOND)).toStrictEqual([])
      expect(yield* claim(T0 + 300 * SECOND)).toHaveLength(1)
    }),
  )
}

/** Checks the records that channels' statements are compared with, and the results. */
export const reconciliation = (check: StoreCheck): void => {
  check.group("what of a channel's money was posted", () => clearing(check))
  check.group("discrepancies", () => discrepancies(check))
  check.group("runs of reconciliation", () => runs(check))

  check("refunds are found several at once", () =>
    Effect.gen(function* () {
      const port = yield* Store
      const made = [1, 2].map((n) => refundIn("pending", { n }))
      yield* store(...made.map((record) => insert("refund", record)))
      const ids = [id("ref", 2), id("ref", 1), id("ref", 9), "nonsense"]
      const found = yield* port.findMany("refund", ids)
      expect(found.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toStrictEqual(made)
      expect(yield* port.findMany("refund", [])).toStrictEqual([])
    }),
  )
}
