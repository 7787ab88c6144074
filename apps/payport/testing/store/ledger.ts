import { Effect, Exit } from "effect"
import { expect } from "../expect.ts"
import type { Posting } from "../../../../core/ledger/Posting.ts"
import { Store } from "../../../../core/ports/Store.ts"
import { DAY, SECOND } from "../../../../core/shared/Timestamp.ts"
import { aFeeDay, anIntent, aJournal, id, T0 } from "../records/index.ts"
import { type StoreCheck, commit, insert, replace, together, tryCommit, upTo } from "./probe.ts"

const page = { account_id: id("acct", 1), limit: 100 }

const books = { account_id: page.account_id }

const amounts = (postings: ReadonlyArray<Posting>) => postings.map(({ amount }) => amount)

const held = { limit: 10, lease: 30 * SECOND }

/** Checks the rows of the ledger, their sums, and the days whose fees are due. */
export const ledger = (check: StoreCheck): void => {
  check.group("the ledger", () => {
    check("is written with the commit that causes it", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const postings = aJournal()
        yield* commit({ writes: [insert("payment_intent", anIntent())], postings })
        expect(yield* port.listPostings(page)).toStrictEqual(postings.toReversed())
        const { id: payment_intent } = anIntent()
        const oldest = { ...page, payment_intent, order: "oldest" } as const
        expect(yield* port.listPostings(oldest)).toStrictEqual(postings)
        expect(yield* port.listPostings({ ...oldest, limit: 1 })).toStrictEqual([postings[0]])
        expect(yield* port.listPostings({ ...page, account_id: id("acct", 2) })).toStrictEqual([])
      }),
    )

    check("has nothing of a commit that is refused", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const writes = [replace("payment_intent", anIntent())]
        const refused = tryCommit({ writes, postings: aJournal(), fee_days: [aFeeDay()] })
        const stored = tryCommit({ writes: [], postings: aJournal({ n: 2, amount: 5 }) })
        const [reason] = yield* together([refused, stored])
        expect(reason?.type).toBe("stale_version")
        expect(amounts(yield* port.listPostings(page))).toStrictEqual([-5, 5])
        expect(yield* port.listDayTotals(books)).toHaveLength(2)
        expect(yield* port.nextDueAt()).toBeUndefined()
      }),
    )

    check("takes no journal that does not sum to zero, whatever else sums up beside it", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const [debit, credit] = aJournal()
        const wrong: ReadonlyArray<ReadonlyArray<Posting | undefined>> = [
          [debit],
          [debit, credit && { ...credit, amount: -698 }],
          [debit, credit && { ...credit, currency: "EUR" }],
          [debit, credit && { ...credit, journal: id("jrn", 7) }],
          [debit && { ...debit, amount: 0.5 }, credit && { ...credit, amount: -0.5 }],
          [debit && { ...debit, amount: 0 }, credit && { ...credit, amount: 0 }],
        ]
        for (const postings of wrong) {
          const given = postings.filter((posting) => posting !== undefined)
          const writes = [insert("payment_intent", anIntent())]
          const exit = yield* Effect.exit(commit({ writes, postings: given }))
          expect(Exit.hasDies(exit)).toBe(true)
        }
        expect(yield* port.listPostings(page)).toStrictEqual([])
        expect(yield* port.find("payment_intent", id("pi", 1))).toBeUndefined()
      }),
    )

    check("adds up what 64 payments of one merchant post at once", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const one = (n: number) =>
          commit({
            writes: [insert("payment_intent", anIntent({ n }))],
            postings: aJournal({ n, amount: n }),
            fee_days: [aFeeDay()],
          })
        yield* together(upTo(64).map(one))
        const sums = [
          { ledger_account: "channel_clearing", amount: 2_080 },
          { ledger_account: "payer_clearing", amount: -2_080 },
        ].map((sum) => ({ ...sum, currency: "USD", kind: "captured", count: 64 }))
        expect(yield* port.listBalances(page.account_id)).toStrictEqual(sums)
        const day = { day: "2026-01-01", channel: "wallet_a" }
        expect(yield* port.listDayTotals(books)).toStrictEqual(
          sums.map((sum) => ({ ...day, ...sum })),
        )
        expect(yield* port.listPostings({ ...page, limit: 100 })).toHaveLength(100)
        expect(yield* port.claimDue("fee_day", T0 + DAY, held)).toStrictEqual([
          aFeeDay({ version: 2 }),
        ])
      }),
    )

    check("is read by payment, account, currency and kind, newest first and page by page", () =>
      Effect.gen(function* () {
        const port = yield* Store
        yield* commit({ writes: [], postings: aJournal() })
        yield* commit({
          writes: [],
          postings: aJournal({ n: 2, currency: "EUR", kind: "late_payment", amount: 5 }),
        })
        const list = (said: object) => Effect.map(port.listPostings({ ...page, ...said }), amounts)
        expect(yield* list({})).toStrictEqual([-5, 5, -699, 699])
        expect(yield* list({ limit: 3 })).toStrictEqual([-5, 5, -699])
        expect(yield* list({ starting_after: aJournal()[1]?.id })).toStrictEqual([699])
        expect(yield* list({ payment_intent: id("pi", 2) })).toStrictEqual([-5, 5])
        expect(yield* list({ payment_intent: id("pi", 3) })).toStrictEqual([])
        expect(yield* list({ payment_intent: "nonsense" })).toStrictEqual([])
        expect(yield* list({ starting_after: "nonsense" })).toStrictEqual([])
        expect(yield* list({ currency: "USD" })).toStrictEqual([-699, 699])
        expect(yield* list({ kind: "late_payment" })).toStrictEqual([-5, 5])
        expect(yield* list({ ledger_account: "payer_clearing" })).toStrictEqual([-5, -699])
      }),
    )

    check("sums up by UTC day, from the first to the last that is asked for", () =>
      Effect.gen(function* () {
        const port = yield* Store
        for (const [index, at] of [T0 - 1, T0, T0 + DAY - 1, T0 + DAY].entries()) {
          const postings = aJournal({ n: index + 1, amount: 10 ** index, created_at: at })
          yield* commit({ writes: [], postings })
        }
        const taken = Effect.fnUntraced(function* (days: object) {
          const totals = yield* port.listDayTotals({ ...books, ...days })
          return totals.flatMap(({ amount, day }) => (amount > 0 ? [[day, amount]] : []))
        })
        expect(yield* taken({})).toStrictEqual([
          ["2025-12-31", 1],
          ["2026-01-01", 110],
          ["2026-01-02", 1_000],
        ])
        expect(yield* taken({ from: "2026-01-01", to: "2026-01-01" })).toStrictEqual([
          ["2026-01-01", 110],
        ])
        const sort = { currency: "USD", kind: "captured", count: 3 }
        expect(yield* port.sumDays({ ...books, to: "2026-01-01" })).toStrictEqual([
          { ...sort, ledger_account: "channel_clearing", amount: 111 },
          { ...sort, ledger_account: "payer_clearing", amount: -111 },
        ])
        expect(yield* port.sumDays({ account_id: "nobody" })).toStrictEqual([])
        const ever = yield* port.listBalances(page.account_id)
        expect(ever.map(({ amount, count }) => [amount, count])).toStrictEqual([
          [1_111, 4],
          [-1_111, 4],
        ])
        expect(yield* port.listBalances("nobody")).toStrictEqual([])
      }),
    )

    check("makes the fees of a day due again when more come while they are taken", () =>
      Effect.gen(function* () {
        const port = yield* Store
        yield* commit({ writes: [], fee_days: [aFeeDay()] })
        const [claimed = aFeeDay()] = yield* port.claimDue("fee_day", T0 + DAY, held)
        yield* commit({ writes: [], fee_days: [aFeeDay()] })
        const taken = { writes: [replace("fee_day", { ...claimed, due_at: null })] }
        expect((yield* tryCommit(taken))?.type).toBe("stale_version")
        const [again = aFeeDay()] = yield* port.claimDue("fee_day", T0 + DAY, held)
        yield* commit({ writes: [replace("fee_day", { ...again, due_at: null })] })
        expect(yield* port.nextDueAt()).toBeUndefined()
        yield* commit({ writes: [], fee_days: [aFeeDay()] })
        expect(yield* port.nextDueAt()).toBe(T0 + DAY)
      }),
    )

    check("is closed and begun anew when an account's data is erased", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const other = id("acct", 2)
        yield* commit({ writes: [], postings: aJournal(), fee_days: [aFeeDay()] })
        yield* commit({ writes: [], postings: aJournal({ n: 2, account_id: other }) })
        yield* port.eraseAccountData(id("acct", 1))
        yield* port.eraseAccountData(id("acct", 1))
        expect(yield* port.listPostings(page)).toStrictEqual([])
        expect(yield* port.listBalances(page.account_id)).toStrictEqual([])
        expect(yield* port.nextDueAt()).toBeUndefined()
        expect(yield* port.listPostings({ ...page, account_id: other })).toHaveLength(2)
        expect(yield* port.listBalances(other)).toHaveLength(2)
        yield* commit({ writes: [], postings: aJournal({ n: 3, amount: 7 }) })
        expect(amounts(yield* port.listPostings(page))).toStrictEqual([-7, 7])
        const sums = yield* port.listBalances(page.account_id)
        expect(sums.map(({ amount }) => amount)).toStrictEqual([7, -7])
      }),
    )
  })
}
