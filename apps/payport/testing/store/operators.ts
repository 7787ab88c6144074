import { Effect } from "effect"
import { expect } from "../expect.ts"
import { Store } from "../../../../core/ports/Store.ts"
import { anAccount, anAppeal, id, T0, verificationIn } from "../records/index.ts"
import { type StoreCheck, commit, counterValue, insert, store, tryCommit } from "./probe.ts"

const ids = (records: ReadonlyArray<{ readonly id: string }>) => records.map((record) => record.id)

const of = (prefix: "acct" | "kyc" | "appl", ...numbers: ReadonlyArray<number>) =>
  numbers.map((n) => id(prefix, n))

/** Checks the lists for operators, and the sums of past days. */
export const operatorLists = (check: StoreCheck): unknown =>
  check.group("operators", () => {
    check("page through accounts by kind and plan, newest first", () =>
      Effect.gen(function* () {
        const port = yield* Store
        yield* store(
          insert("account", anAccount({ n: 1 })),
          insert("account", anAccount({ n: 2, kind: "buyer" })),
          insert("account", anAccount({ n: 3, plan: "pro" })),
          insert("account", anAccount({ n: 4, kind: "buyer", plan: "pro" })),
        )
        const all = { kind: ["seller", "buyer"], plan: ["starter", "pro"] } as const
        const listed = (by: object, page: object = {}) =>
          Effect.map(port.list("account", { by: { ...all, ...by }, limit: 9, ...page }), ids)
        expect(yield* listed({})).toStrictEqual(of("acct", 4, 3, 2, 1))
        expect(yield* listed({}, { limit: 3 })).toStrictEqual(of("acct", 4, 3, 2))
        const after = { after: id("acct", 3) }
        expect(yield* listed({}, after)).toStrictEqual(of("acct", 2, 1))
        expect(yield* listed({ kind: "buyer" })).toStrictEqual(of("acct", 4, 2))
        expect(yield* listed({ plan: ["pro"] }, after)).toStrictEqual([])
        expect(yield* listed({}, { after: "acct_'; --" })).toStrictEqual([])
        const [first] = yield* port.list("account", { by: { ...all, kind: "seller" }, limit: 1 })
        expect(first).toStrictEqual(anAccount({ n: 3, plan: "pro" }))
      }),
    )

    check("page through verifications and appeals of all accounts, or of one", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const other = id("acct", 2)
        yield* store(
          insert("verification", verificationIn("pending", { n: 1 })),
          insert("verification", verificationIn("pending", { n: 2, level: "business" })),
          insert("verification", verificationIn("verified", { n: 3, account_id: other })),
          insert("verification", verificationIn("rejected", { n: 4, account_id: other })),
          insert("appeal", anAppeal()),
          insert("appeal", anAppeal({ n: 2, status: "upheld", resolved_at: T0 + 1 })),
          insert("appeal", anAppeal({ n: 3, account_id: other })),
        )
        const status = ["pending", "verified", "rejected", "expired"] as const
        const level = ["anonymous", "basic", "enhanced", "business"] as const
        const reviewed = (by: object, page: object = {}) =>
          Effect.map(
            port.list("verification", { by: { status, level, ...by }, limit: 9, ...page }),
            ids,
          )
        expect(yield* reviewed({})).toStrictEqual(of("kyc", 4, 3, 2, 1))
        const pending = { status: ["pending"] }
        expect(yield* reviewed(pending)).toStrictEqual(of("kyc", 2, 1))
        expect(yield* reviewed({ ...pending, level: ["business"] })).toStrictEqual(of("kyc", 2))
        expect(yield* reviewed(pending, { limit: 1 })).toStrictEqual(of("kyc", 2))
        expect(yield* reviewed({}, { after: id("kyc", 3) })).toStrictEqual(of("kyc", 2, 1))
        expect(yield* reviewed({ account_id: other })).toStrictEqual(of("kyc", 4, 3))
        expect(yield* reviewed({ account_id: other, ...pending })).toStrictEqual([])
        expect(yield* reviewed({ account_id: "acct_'; --" })).toStrictEqual([])

        const open = ["under_review"] as const
        const appeals = (by: object, page: object = {}) =>
          Effect.map(port.list("appeal", { by: { status: open, ...by }, limit: 9, ...page }), ids)
        expect(yield* appeals({})).toStrictEqual(of("appl", 3, 1))
        expect(yield* appeals({ status: ["upheld"] })).toStrictEqual(of("appl", 2))
        expect(yield* appeals({ account_id: other })).toStrictEqual(of("appl", 3))
        expect(yield* appeals({}, { after: id("appl", 3) })).toStrictEqual(of("appl", 1))
      }),
    )

    check("sums of days are forgotten by their day, and count from nothing after that", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const names = ["day:a:2026-01-31", "day:b:2026-02-01", "day:c", "other:a:2026-01-31"]
        const reservations = names.map((counter) => ({ counter, add: 5, limit: 9 }))
        yield* commit({ writes: [], reservations })
        expect(yield* port.purgeDayCounters("day:", "2026-01-31")).toBe(0)
        expect(yield* port.purgeDayCounters("day:", "2026-02-01")).toBe(1)
        const values = yield* Effect.forEach(names, counterValue)
        expect(values).toStrictEqual([0, 5, 5, 5])
        const back = { counter: "day:a:2026-01-31", add: -5, limit: 0 }
        expect(yield* tryCommit({ writes: [], reservations: [back] })).toBeUndefined()
        expect(yield* port.purgeDayCounters("day:", "2026-02-02")).toBe(2)
      }),
    )
  })
