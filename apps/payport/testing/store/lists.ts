import { Effect } from "effect"
import { expect } from "../expect.ts"
import { Store } from "../../../../core/ports/Store.ts"
import type { IntentQuery } from "../../../../core/payments/IntentQuery.ts"
import { unpaidCounter } from "../../../../core/payments/UnpaidPayments.ts"
import { DAY, MINUTE } from "../../../../core/shared/Timestamp.ts"
import { anApiKey, anIntent, id, intentIn, oneTimeIn, T0, uuid } from "../records/index.ts"
import { type StoreCheck, insert, remove, replace, store, upTo } from "./probe.ts"

const viewer = id("acct", 1)
const everything: IntentQuery = { viewer, limit: 100, now: T0 }

const find = (query: Partial<IntentQuery>) =>
  Effect.gen(function* () {
    const port = yield* Store
    const found = yield* port.listIntents({ ...everything, ...query })
    return found.map((intent) => upTo(300).find((n) => id("pi", n) === intent.id) ?? 0)
  })

const down = (from: number, to: number): ReadonlyArray<number> =>
  upTo(from)
    .slice(to - 1)
    .toReversed()

/** Checks the lists of an account. */
export const lists = (check: StoreCheck): unknown =>
  check.group("lists", () => {
    check("intents come newest first, a page behind the other", () =>
      Effect.gen(function* () {
        const numbers = upTo(120).toSorted((a, b) => ((a * 7919) % 127) - ((b * 7919) % 127))
        yield* store(...numbers.map((n) => insert("payment_intent", anIntent({ n }))))
        expect(yield* find({ limit: 50 })).toStrictEqual(down(120, 71))
        expect(yield* find({ limit: 50, starting_after: id("pi", 71) })).toStrictEqual(down(70, 21))
        expect(yield* find({ limit: 50, starting_after: id("pi", 21) })).toStrictEqual(down(20, 1))
        expect(yield* find({ limit: 50, starting_after: id("pi", 1) })).toStrictEqual([])
        expect(yield* find({ limit: 3, starting_after: id("pi", 200) })).toStrictEqual(
          down(120, 118),
        )
      }),
    )

    check("intents are listed to creator, payee and payer, once, and to nobody else", () =>
      Effect.gen(function* () {
        const [one, two, three] = [id("acct", 1), id("acct", 2), id("acct", 3)]
        const between = (n: number, creator: string, payee: string, payer: string | null) =>
          insert(
            "payment_intent",
            anIntent({ n, account_id: creator, payee_account_id: payee, payer_account_id: payer }),
          )
        yield* store(
          between(1, one, one, null),
          between(2, two, one, two),
          between(3, two, two, one),
          between(4, one, one, one),
          between(5, two, three, null),
        )
        expect(yield* find({ viewer: one })).toStrictEqual([4, 3, 2, 1])
        expect(yield* find({ viewer: two })).toStrictEqual([5, 3, 2])
        expect(yield* find({ viewer: three })).toStrictEqual([5])
        expect(yield* find({ viewer: id("acct", 4) })).toStrictEqual([])
        expect(yield* find({ viewer: one, limit: 2, starting_after: id("pi", 4) })).toStrictEqual([
          3, 2,
        ])
      }),
    )

    check("intents are filtered by the agents that the viewer has made them for", () =>
      Effect.gen(function* () {
        const [one, two] = [id("acct", 1), id("acct", 2)]
        const by = (n: number, agent_id: string | null, said: object = {}) => {
          const intent = anIntent({ n, account_id: one, payee_account_id: two, ...said })
          return insert("payment_intent", {
            ...intent,
            payer: { ...intent.payer, agent_id },
          })
        }
        yield* store(
          by(1, "first"),
          by(2, "second"),
          by(3, null),
          by(4, "first", { account_id: two, payee_account_id: one }),
          by(5, "first", { account_id: two, payer_account_id: one }),
          by(6, "third", { payee_account_id: one }),
          by(7, "first"),
        )
        expect(yield* find({ agents: ["first"] })).toStrictEqual([7, 1])
        expect(yield* find({ agents: ["first"], limit: 1 })).toStrictEqual([7])
        expect(yield* find({ agents: ["second", "third"] })).toStrictEqual([6, 2])
        const next = { agents: ["third", "first"], starting_after: id("pi", 7) }
        expect(yield* find(next)).toStrictEqual([6, 1])
        expect(yield* find({ agents: ["fourth"] })).toStrictEqual([])
        expect(yield* find({ agents: [] })).toStrictEqual([])
      }),
    )

    check("intents are filtered by service and time, together with the page", () =>
      Effect.gen(function* () {
        yield* store(
          ...upTo(20).map((n) =>
            insert(
              "payment_intent",
              anIntent({ n, service_id: uuid((n % 2) + 1), created_at: T0 + n }),
            ),
          ),
        )
        const even = down(20, 1).filter((n) => n % 2 === 0)
        expect(yield* find({ service_id: uuid(1) })).toStrictEqual(even)
        expect(yield* find({ service_id: uuid(9) })).toStrictEqual([])
        expect(yield* find({ created_after: T0 + 18 })).toStrictEqual([20, 19, 18])
        expect(yield* find({ created_before: T0 + 3 })).toStrictEqual([2, 1])
        expect(yield* find({ created_after: T0 + 5, created_before: T0 + 8 })).toStrictEqual([
          7, 6, 5,
        ])
        expect(
          yield* find({
            service_id: uuid(2),
            created_after: T0 + 5,
            starting_after: id("pi", 9),
            limit: 2,
          }),
        ).toStrictEqual([7, 5])
      }),
    )

    check("intents are filtered by the status that they have now", () =>
      Effect.gen(function* () {
        const expires_at = T0 + MINUTE
        yield* store(
          insert("payment_intent", intentIn("pending", { n: 1, expires_at })),
          insert("payment_intent", intentIn("authorized", { n: 2, expires_at })),
          insert("payment_intent", intentIn("capturing", { n: 3, expires_at })),
          insert("payment_intent", intentIn("captured", { n: 4, expires_at })),
          insert("payment_intent", intentIn("succeeded", { n: 5, expires_at })),
          insert("payment_intent", intentIn("expired", { n: 6, expires_at })),
          insert("payment_intent", oneTimeIn("pending", { n: 7, expires_at })),
          insert("payment_intent", oneTimeIn("completed", { n: 8, expires_at })),
        )
        const before = { now: expires_at - 1 }
        const after = { now: expires_at }
        expect(yield* find({ ...before, statuses: ["pending"] })).toStrictEqual([7, 1])
        expect(yield* find({ ...after, statuses: ["pending"] })).toStrictEqual([])
        expect(yield* find({ ...before, statuses: ["expired"] })).toStrictEqual([6])
        expect(yield* find({ ...after, statuses: ["expired"] })).toStrictEqual([7, 6, 2, 1])
        const held = ["authorized", "capturing"] as const
        expect(yield* find({ ...before, statuses: held })).toStrictEqual([3, 2])
        expect(yield* find({ ...after, statuses: held })).toStrictEqual([3])
        expect(
          yield* find({ ...after, statuses: ["captured", "succeeded", "completed"] }),
        ).toStrictEqual([8, 5, 4])
        expect(yield* find({ ...after, statuses: ["expired"], limit: 2 })).toStrictEqual([7, 6])
        expect(
          yield* find({ ...after, statuses: ["expired"], limit: 2, starting_after: id("pi", 6) }),
        ).toStrictEqual([2, 1])
        expect(yield* find(after)).toStrictEqual([8, 7, 6, 5, 4, 3, 2, 1])
      }),
    )

    check("intents that a worker is due to look at keep their status until they expire", () =>
      Effect.gen(function* () {
        const expires_at = T0 + DAY
        const asked = { expires_at, channel_asks: 0, trade_no: null }
        const leaving = { expires_at, channel_asks: null, trade_no: null }
        const waiting = [
          intentIn("qr_generated", { ...asked, n: 1 }),
          intentIn("captured", { ...asked, n: 2 }),
          intentIn("cancelled", { ...asked, n: 3 }),
          oneTimeIn("voided", { ...leaving, n: 4 }),
          oneTimeIn("pending", { ...asked, n: 5 }),
        ]
        yield* store(...waiting.map((intent) => insert("payment_intent", intent)))
        const lastDue = expires_at - 1
        expect(yield* find({ now: lastDue, statuses: ["expired"] })).toStrictEqual([])
        const open = ["qr_generated", "pending"] as const
        const settled = ["captured", "cancelled", "voided"] as const
        expect(yield* find({ now: lastDue, statuses: open })).toStrictEqual([5, 1])
        for (const now of [lastDue, expires_at, T0 + 60 * DAY]) {
          expect(yield* find({ now, statuses: settled })).toStrictEqual([4, 3, 2])
        }
        expect(yield* find({ now: expires_at, statuses: ["expired"] })).toStrictEqual([5, 1])
      }),
    )

    check("payments that are to leave come as they leave, and no others", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const known = { trade_no: null, channel_asks: null }
        const leaving = (n: number, ended_at: number) =>
          insert(
            "payment_intent",
            Object.assign(oneTimeIn("expired", { ...known, n }), { ended_at }),
          )
        yield* store(
          leaving(1, T0 + 9),
          leaving(2, T0 + 3),
          leaving(3, T0 + 6),
          leaving(4, T0 + 3),
          insert("payment_intent", oneTimeIn("expired", { ...known, n: 5, channel_asks: 1 })),
          insert("payment_intent", intentIn("succeeded", { n: 6, channel_asks: null })),
          insert("payment_intent", oneTimeIn("failed", { ...known, n: 7 })),
          insert(
            "payment_intent",
            oneTimeIn("voided", { ...known, n: 8, account_id: id("acct", 2) }),
          ),
        )
        const all = yield* port.listUnpaid(viewer, 9)
        expect(all.map((intent) => intent.id)).toStrictEqual([2, 4, 3, 1].map((n) => id("pi", n)))
        const [first, ...rest] = yield* port.listUnpaid(viewer, 1)
        expect(first).toStrictEqual(yield* port.find("payment_intent", id("pi", 2)))
        expect(rest).toStrictEqual([])
        expect(yield* port.listUnpaid("acct_nobody", 9)).toStrictEqual([])
        const anybodys = (from: number, limit: number) =>
          Effect.map(port.listLeaving(from + 30 * DAY, limit), (found) =>
            found.map((intent) => intent.id),
          )
        expect(yield* anybodys(T0 + 4, 9)).toStrictEqual([3, 1, 8].map((n) => id("pi", n)))
        expect(yield* anybodys(T0 + 6, 9)).toStrictEqual([3, 1, 8].map((n) => id("pi", n)))
        expect(yield* anybodys(T0, 1)).toStrictEqual([id("pi", 2)])
        expect(yield* port.listLeaving(T0, 1)).toStrictEqual([first])
        yield* port.commit({
          writes: [],
          reservations: [{ counter: unpaidCounter(viewer), add: 9, limit: 9 }],
        })
        yield* port.eraseAccountData(viewer)
        expect(yield* port.readCounters([unpaidCounter(viewer)])).toStrictEqual([5])
      }),
    )

    check("a listed intent is the stored one", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const intent = anIntent({ metadata: { a: 1 } })
        yield* store(insert("payment_intent", intent))
        expect(yield* port.listIntents(everything)).toStrictEqual([intent])
        yield* store(replace("payment_intent", { ...intent, payer_account_id: id("acct", 7) }))
        expect(yield* find({ viewer: id("acct", 7) })).toStrictEqual([1])
        yield* store(replace("payment_intent", { ...intent, version: 2 }))
        expect(yield* find({ viewer: id("acct", 7) })).toStrictEqual([])
        yield* store(remove("payment_intent", { ...intent, version: 3 }))
        expect(yield* port.listIntents(everything)).toStrictEqual([])
      }),
    )

    check("API keys come newest first, a page behind the other, whatever their state", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const keys = [3, 1, 5, 2, 4].map((n) => anApiKey({ n, revoked_at: n % 2 ? null : T0 }))
        yield* store(
          ...keys.map((key) => insert("api_key", key)),
          insert("api_key", anApiKey({ n: 9, account_id: id("acct", 2) })),
        )
        const page = (limit: number, after?: number) =>
          port.list("api_key", {
            by: { account_id: viewer },
            limit,
            after: after === undefined ? undefined : id("key", after),
          })
        const newest = keys.toSorted((a, b) => (a.id < b.id ? 1 : -1))
        expect(yield* page(10)).toStrictEqual(newest)
        expect(yield* page(2)).toStrictEqual(newest.slice(0, 2))
        expect(yield* page(2, 4)).toStrictEqual(newest.slice(2, 4))
        expect(yield* page(2, 1)).toStrictEqual([])
      }),
    )
  })
