import { Effect } from "effect"
import { ALL_KINDS, Store } from "../../../../core/ports/Store.ts"
import { MAX_VALUE } from "../../../../core/shared/Money.ts"
import { expect } from "../expect.ts"
import { extremeOfEachKind, LONG_ANSWER } from "./extremeRecords.ts"
import { aJournal, anApiKey, aReply, id } from "../records/index.ts"
import { type StoreCheck, commit, insert, store, upTo } from "./probe.ts"

/** More than any page that a database's client or server reads at once. */
const MANY = 1_100

/** Checks the greatest amounts, the longest texts and long answers. */
export const extremes = (check: StoreCheck): unknown =>
  check.group("extremes", () => {
    check("gives back the greatest values and the longest texts of every kind", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const each = extremeOfEachKind()
        yield* store(...ALL_KINDS.map((kind) => insert(kind, each[kind])))
        for (const kind of ALL_KINDS) {
          const { id: own } = each[kind]
          expect(yield* port.find(kind, own), kind).toStrictEqual(each[kind])
          expect(yield* port.findMany(kind, [own]), kind).toStrictEqual([each[kind]])
        }
      }),
    )

    check("books the greatest amounts, and adds them up", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const account_id = id("acct", 1)
        const amounts = [MAX_VALUE, MAX_VALUE - 1, MAX_VALUE - 3]
        for (const [n, amount] of amounts.entries()) {
          yield* commit({ writes: [], postings: aJournal({ n: n + 1, amount }) })
        }
        const sum = 3 * MAX_VALUE - 4
        const ofSum = [sum, -sum]
        const postings = yield* port.listPostings({ account_id, limit: 9 })
        const booked = new Set(postings.map(({ amount }) => amount))
        expect(booked).toStrictEqual(new Set(amounts.flatMap((amount) => [amount, -amount])))
        const balances = yield* port.listBalances(account_id)
        expect(balances.map(({ amount }) => amount)).toStrictEqual(ofSum)
        const days = yield* port.sumDays({ account_id })
        expect(days.map(({ amount }) => amount)).toStrictEqual(ofSum)
      }),
    )

    check("keeps a reply of a megabyte", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const reply = aReply({ answer: LONG_ANSWER })
        yield* commit({ writes: [], reply })
        const found = yield* port.findReply(reply.account_id, reply.key)
        expect(found?.answer === LONG_ANSWER, "the same answer").toBe(true)
      }),
    )

    check(`leaves nothing out of ${MANY} records and counters`, () =>
      Effect.gen(function* () {
        const port = yield* Store
        const keys = upTo(MANY).map((n) => anApiKey({ n }))
        const ids = keys.map((key) => key.id)
        const counters = keys.map((key) => `of ${key.id}`)
        yield* commit({
          writes: keys.map((record) => insert("api_key", record)),
          reservations: counters.map((counter, n) => ({ counter, add: n + 1, limit: MANY })),
        })
        const by = { account_id: id("acct", 1) }
        const idsOf = (found: ReadonlyArray<{ readonly id: string }>) => found.map((key) => key.id)
        const oldest = yield* port.list("api_key", { by, order: "oldest" })
        expect(idsOf(oldest)).toStrictEqual(ids)
        expect(idsOf(yield* port.list("api_key", { by }))).toStrictEqual(ids.toReversed())
        const found = yield* port.findMany("api_key", ids)
        expect(idsOf(found).toSorted()).toStrictEqual(ids)
        expect(yield* port.readCounters(counters)).toStrictEqual(upTo(MANY))
      }),
    )
  })
