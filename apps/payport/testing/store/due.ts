import { Effect } from "effect"
import { expect, unreachable } from "../expect.ts"
import { DUE_KINDS, type DueKind, type Records, Store } from "../../../../core/ports/Store.ts"
import { SECOND, type Timestamp } from "../../../../core/shared/Timestamp.ts"
import { aDelivery, anIntent, id, intentIn, oneTimeIn, T0 } from "../records/index.ts"
import { atRest, dueRecord } from "./dueRecords.ts"
import {
  type StoreCheck,
  insert,
  remove,
  replace,
  store,
  together,
  tryCommit,
  upTo,
} from "./probe.ts"

type Rest = (record: Records[DueKind]) => Records[DueKind]

const rest = (kind: DueKind, record: Records[DueKind]) => (atRest[kind] as Rest)(record)

/** The record in the form in which it is claimed. */
const handed = (kind: DueKind, record: Records[DueKind], version: number) => ({
  ...record,
  version,
  ...(kind === "delivery" && { status: "delivering" }),
})

const all = { limit: 100, lease: 1_000 }

const ids = (records: ReadonlyArray<{ readonly id: string }>) => records.map(({ id }) => id)

const ofKind = (check: StoreCheck, kind: DueKind): unknown =>
  check.group(kind, () => {
    const made = (n: number, at: Timestamp): Records[DueKind] => dueRecord[kind](n, at)

    check("is handed out when it is due, earliest first, up to the limit", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const [third, first, second] = [made(1, T0 + 3), made(2, T0 + 1), made(3, T0 + 2)]
        const later = made(4, T0 + 9)
        yield* store(...[third, first, second, later].map((record) => insert(kind, record)))
        expect(yield* port.claimDue(kind, T0, all)).toStrictEqual([])
        const two = yield* port.claimDue(kind, T0 + 3, { ...all, limit: 2 })
        expect(two).toStrictEqual([handed(kind, first, 2), handed(kind, second, 2)])
        const rest = yield* port.claimDue(kind, T0 + 3, all)
        expect(rest).toStrictEqual([handed(kind, third, 2)])
        expect(yield* port.claimDue(kind, T0 + 3, all)).toStrictEqual([])
      }),
    )

    check("is one holder's until its lease is over, whose commit is stale from then on", () =>
      Effect.gen(function* () {
        const port = yield* Store
        yield* store(insert(kind, made(1, T0)))
        const [mine] = yield* port.claimDue(kind, T0, all)
        expect(yield* port.claimDue(kind, T0 + 999, all)).toStrictEqual([])
        const [theirs] = yield* port.claimDue(kind, T0 + 1_000, all)
        expect(theirs).toStrictEqual(handed(kind, made(1, T0), 3))
        const late = replace(kind, rest(kind, mine!))
        expect(yield* tryCommit({ writes: [late] })).toMatchObject({ type: "stale_version", kind })
        yield* store(replace(kind, rest(kind, theirs!)))
        expect(yield* port.claimDue(kind, T0 * 2, all)).toStrictEqual([])
        expect(yield* port.nextDueAt()).toBeUndefined()
      }),
    )

    check("has one holder by the store's clock, however far the claimers' clocks are off", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const lease = 30 * SECOND
        const at = T0 + 40 * SECOND
        const [slow, fast] = [-29 * SECOND, 29 * SECOND]
        const claimAt = (now: Timestamp, ahead?: number) =>
          port.claimDue(kind, now + (ahead ?? 0), {
            ...all,
            lease,
            ...(ahead !== undefined && { ahead }),
          })
        yield* store(insert(kind, made(1, T0)))
        expect(yield* claimAt(at, slow)).toHaveLength(1)
        expect(yield* claimAt(at + lease - 1, fast)).toStrictEqual([])
        expect(yield* claimAt(at + lease)).toHaveLength(1)
        expect(yield* claimAt(at + 2 * lease - 1, fast)).toStrictEqual([])
        expect(yield* claimAt(at + 2 * lease, fast)).toHaveLength(1)
        expect(yield* claimAt(at + 3 * lease - 1)).toStrictEqual([])
        expect(yield* claimAt(at + 3 * lease, slow)).toHaveLength(1)
      }),
    )

    check("is due again when its record says so, whatever its lease was", () =>
      Effect.gen(function* () {
        const port = yield* Store
        yield* store(insert(kind, made(1, T0)))
        yield* port.claimDue(kind, T0, all)
        yield* store(replace(kind, { ...made(1, T0 + 5), version: 2 }))
        expect(yield* port.claimDue(kind, T0 + 4, all)).toStrictEqual([])
        const again = yield* port.claimDue(kind, T0 + 5, all)
        expect(again).toStrictEqual([handed(kind, made(1, T0 + 5), 4)])
        yield* store(replace(kind, { ...made(1, T0 + 5), version: 4 }))
        expect(yield* port.claimDue(kind, T0 + 5, all)).toMatchObject([{ version: 6 }])
      }),
    )

    check("is forgotten with its record", () =>
      Effect.gen(function* () {
        const port = yield* Store
        yield* store(insert(kind, made(1, T0)), insert(kind, made(2, T0 + 1)))
        yield* store(remove(kind, made(1, T0)))
        expect(yield* port.nextDueAt()).toBe(T0 + 1)
        expect(ids(yield* port.claimDue(kind, T0 + 1, all))).toStrictEqual([made(2, T0).id])
      }),
    )

    check("goes to one of two workers", () =>
      Effect.gen(function* () {
        const port = yield* Store
        yield* store(...upTo(100).map((n) => insert(kind, made(n, T0 + n))))
        const worker = Effect.gen(function* () {
          const taken: Array<string> = []
          while (true) {
            const batch = yield* port.claimDue(kind, T0 + 1_000, { limit: 7, lease: 60_000 })
            if (batch.length === 0) return taken
            taken.push(...ids(batch))
            yield* Effect.yieldNow
          }
        })
        const [a, b] = yield* Effect.all([worker, worker], { concurrency: 2 })
        const both = [...a, ...b].toSorted()
        expect(both).toStrictEqual(upTo(100).map((n) => made(n, T0).id))
      }),
    )
  })

/** Checks how due records are claimed. */
export const due = (check: StoreCheck): unknown =>
  check.group("due work", () => {
    for (const kind of DUE_KINDS) ofKind(check, kind)

    check("intents are due that time ends, or that leave, and no others", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const ongoing = [
          intentIn("pending", { n: 1 }),
          intentIn("qr_generated", { n: 2 }),
          intentIn("scanning", { n: 3 }),
          intentIn("authorized", { n: 4 }),
          oneTimeIn("pending", { n: 5 }),
        ]
        const others = [
          intentIn("capturing", { n: 11 }),
          intentIn("captured", { n: 12 }),
          intentIn("succeeded", { n: 13 }),
          intentIn("failed", { n: 14 }),
          intentIn("expired", { n: 15 }),
          intentIn("voided", { n: 17 }),
          oneTimeIn("completed", { n: 18 }),
          oneTimeIn("failed", { n: 19 }),
        ]
        const leaving = [
          intentIn("cancelled", { n: 16 }),
          oneTimeIn("expired", { n: 20 }),
          oneTimeIn("cancelled", { n: 21 }),
          oneTimeIn("voided", { n: 22 }),
        ]
        yield* store(
          ...[...others, ...ongoing, ...leaving].map((one) => insert("payment_intent", one)),
        )
        const claimed = yield* port.claimDue("payment_intent", T0 * 2, all)
        expect(ids(claimed).toSorted()).toStrictEqual(ids([...ongoing, ...leaving]))
      }),
    )

    check("the due kinds are those of which a record is due, leased or not", () =>
      Effect.gen(function* () {
        const port = yield* Store
        expect(yield* port.dueKinds(T0 * 2)).toStrictEqual(new Set())
        for (const [n, kind] of DUE_KINDS.entries()) {
          yield* store(insert(kind, dueRecord[kind](1, T0 + n)))
        }
        for (const n of DUE_KINDS.keys()) {
          expect(yield* port.dueKinds(T0 + n)).toStrictEqual(new Set(DUE_KINDS.slice(0, n + 1)))
        }
        expect(yield* port.dueKinds(T0 - 1)).toStrictEqual(new Set())
        const [first] = yield* port.claimDue("payment_intent", T0 * 2, all)
        expect(yield* port.dueKinds(T0 * 2)).toStrictEqual(new Set(DUE_KINDS))
        if (first === undefined) return unreachable("The payment is due.")
        yield* store(replace("payment_intent", atRest.payment_intent(first)))
        const others = DUE_KINDS.filter((kind) => kind !== "payment_intent")
        expect(yield* port.dueKinds(T0 * 2)).toStrictEqual(new Set(others))
      }),
    )

    check("the next due time is the earliest of any kind, leased or not", () =>
      Effect.gen(function* () {
        const port = yield* Store
        expect(yield* port.nextDueAt()).toBeUndefined()
        const others = DUE_KINDS.filter((kind) => kind !== "payment_intent")
        for (const [n, kind] of [...others, "payment_intent" as const].entries()) {
          const record = dueRecord[kind](1, T0 + 100 - n)
          yield* store(insert(kind, record))
          expect(yield* port.nextDueAt()).toBe(T0 + 100 - n)
        }
        const soonest = T0 + 101 - DUE_KINDS.length
        const earliest = yield* port.claimDue("payment_intent", soonest, all)
        expect(ids(earliest)).toStrictEqual([id("pi", 1)])
        expect(yield* port.nextDueAt()).toBe(soonest)
        for (const one of earliest) {
          yield* store(replace("payment_intent", atRest.payment_intent(one)))
        }
        expect(yield* port.nextDueAt()).toBe(soonest + 1)
      }),
    )

    check("two racing claims of one record: one has it", () =>
      Effect.gen(function* () {
        const port = yield* Store
        yield* store(insert("delivery", aDelivery()))
        const claims = yield* together(upTo(50).map(() => port.claimDue("delivery", T0, all)))
        expect(claims.flat()).toStrictEqual([aDelivery({ version: 2, status: "delivering" })])
      }),
    )

    check("a claim makes what was read before it stale", () =>
      Effect.gen(function* () {
        const port = yield* Store
        yield* store(insert("payment_intent", anIntent({ expires_at: T0 })))
        const read = (yield* port.find("payment_intent", id("pi", 1)))!
        yield* port.claimDue("payment_intent", T0, all)
        expect((yield* port.find("payment_intent", id("pi", 1)))?.version).toBe(2)
        const capture = replace("payment_intent", read)
        expect(yield* tryCommit({ writes: [capture] })).toMatchObject({ type: "stale_version" })
      }),
    )
  })
