import { Effect } from "effect"
import { expect } from "../expect.ts"
import { periodCounter } from "../../../../core/invoices/Tab.ts"
import { Store } from "../../../../core/ports/Store.ts"
import { MAX_VALUE } from "../../../../core/shared/Money.ts"
import { NOBODY } from "../../../../core/shared/Nobody.ts"
import {
  aChannelRequest,
  anIntent,
  aTab,
  aUsage,
  id,
  intentIn,
  refundIn,
  refundRequestIn,
  T0,
} from "../records/index.ts"
import {
  type StoreCheck,
  commit,
  hasVersion,
  insert,
  keyHolder,
  replace,
  store,
  tryCommit,
} from "./probe.ts"

const [one, other] = [id("acct", 1), id("acct", 2)]

const eraseAtOnce = Effect.flatMap(Store, (port) =>
  Effect.all(
    [1, 2, 3].map(() => port.eraseAccountData(one)),
    { concurrency: 3, discard: true },
  ),
)

const seenBy = (viewer: string) =>
  Effect.flatMap(Store, (port) =>
    Effect.map(port.listIntents({ viewer, now: T0, limit: 10 }), (found) =>
      found.map((intent) => intent.id),
    ),
  )

const spending = { cents: 100, counters: ["kyc_day:a:2026-01-01"] }

/** What account 1 bought of account 2, with a refund and a request for another. */
const bought = {
  payment_intent: intentIn("captured", {
    account_id: one,
    payee_account_id: other,
    payer_account_id: one,
    spending,
    trade_no: "trade 1",
  }),
  channel_request: aChannelRequest({ account_id: one }),
  refund: refundIn("pending", { account_id: one, payee_account_id: other }),
  refund_request: refundRequestIn("open", { account_id: one, payee_account_id: other }),
} as const

const storeBought = commit({
  writes: [
    insert("payment_intent", bought.payment_intent),
    insert("channel_request", bought.channel_request),
    insert("refund", bought.refund),
    insert("refund_request", bought.refund_request),
  ],
  keys: [
    { op: "claim", key: "trade:1", owner: id("pi", 1) },
    { op: "claim", key: "one_time:1", owner: id("pi", 1) },
    { op: "claim", key: "return:1", owner: id("creq", 1) },
  ],
  reservations: [{ counter: "kyc_day:a:2026-01-01", add: 1_000, limit: 1_000 }],
})

/** Checks what becomes of the records that an erased account shares with others. */
export const parting = (check: StoreCheck): void =>
  check.group("erasing an account's data", () => {
    check("leaves a payment with everything about it to the other side", () =>
      Effect.gen(function* () {
        const port = yield* Store
        yield* storeBought
        yield* eraseAtOnce
        const left = { account_id: NOBODY, version: 2 }
        const { channel_request, payment_intent, refund, refund_request } = bought
        const kept = { ...payment_intent, ...left, payer_account_id: null, spending: null }
        expect(yield* port.find("payment_intent", id("pi", 1))).toStrictEqual(kept)
        expect(yield* port.find("channel_request", id("creq", 1))).toStrictEqual({
          ...channel_request,
          ...left,
        })
        expect(yield* port.find("refund", id("ref", 1))).toStrictEqual({ ...refund, ...left })
        expect(yield* port.find("refund_request", id("rr", 1))).toStrictEqual({
          ...refund_request,
          ...left,
        })
        expect(
          yield* port.claimDue("channel_request", T0 + 60_000, { limit: 9, lease: 1 }),
        ).toStrictEqual([{ ...channel_request, ...left, version: 3 }])
        expect([yield* seenBy(one), yield* seenBy(other)]).toStrictEqual([[], [id("pi", 1)]])
      }),
    )

    check("gives back once what a payment holds that others keep, and its name", () =>
      Effect.gen(function* () {
        const port = yield* Store
        yield* storeBought
        yield* eraseAtOnce
        expect(yield* port.readCounters(spending.counters)).toStrictEqual([900])
        expect(yield* keyHolder("one_time:1")).toBeUndefined()
        expect(yield* keyHolder("trade:1")).toBe(id("pi", 1))
        expect(yield* keyHolder("return:1")).toBe(id("creq", 1))
        const late = replace("payment_intent", bought.payment_intent)
        expect((yield* tryCommit({ writes: [late] }))?.type).toBe("stale_version")
      }),
    )

    check("gives back the captured share of what a payment held", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const places = ["kyc_day:a:2026-01-01", "cap:b", "budget:c"] as const
        const [day, cap, budget] = places
        const payment = intentIn("captured", {
          account_id: one,
          payee_account_id: other,
          amount: { currency: "USD", value: 700 },
          spending: {
            cents: 500,
            counters: [day],
            capped: { value: MAX_VALUE, counters: [cap] },
            keyed: [{ value: 699, counters: [budget] }],
          },
        })
        const inPart = { ...payment, capture_value: 100 }
        yield* commit({
          writes: [insert("payment_intent", inPart)],
          reservations: places.map((counter) => ({ counter, add: MAX_VALUE, limit: MAX_VALUE })),
        })
        yield* eraseAtOnce
        // A seventh of 500, of the largest value and of 699, rounded up.
        const shares = [72, 142_857_142_858, 100]
        expect(yield* port.readCounters(places)).toStrictEqual(
          shares.map((share) => MAX_VALUE - share),
        )
      }),
    )

    check("takes the account out of every side of a payment", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const sides = [
          { n: 1, account_id: other, payee_account_id: one },
          { n: 2, account_id: one, payee_account_id: one, payer_account_id: other },
          { n: 3, account_id: other, payee_account_id: other, payer_account_id: one, spending },
          { n: 4, account_id: one, payee_account_id: one, payer_account_id: one },
          { n: 5, account_id: other, payee_account_id: other },
        ]
        yield* store(...sides.map((said) => insert("payment_intent", anIntent(said))))
        yield* store(
          insert("refund", refundIn("pending", { payment_intent: id("pi", 2) })),
          insert("refund", refundIn("pending", { n: 4, payment_intent: id("pi", 4) })),
          insert("refund", refundIn("pending", { n: 5, payment_intent: id("pi", 5), ...sides[4] })),
        )
        yield* port.eraseAccountData(one)
        const [, ...found] = yield* Effect.forEach([0, 1, 2, 3, 4, 5], (n) =>
          port.find("payment_intent", id("pi", n)),
        )
        expect(found).toStrictEqual([
          { ...anIntent(sides[0]), payee_account_id: NOBODY, version: 2 },
          { ...anIntent(sides[1]), account_id: NOBODY, payee_account_id: NOBODY, version: 2 },
          { ...anIntent(sides[2]), payer_account_id: null, version: 2 },
          undefined,
          anIntent(sides[4]),
        ])
        expect(yield* port.find("refund", id("ref", 1))).toMatchObject({
          account_id: NOBODY,
          payee_account_id: NOBODY,
        })
        expect(yield* port.find("refund", id("ref", 4))).toBeUndefined()
        expect(yield* hasVersion("refund", id("ref", 5), 1)).toBe(true)
        expect(yield* seenBy(one)).toStrictEqual([])
        expect(yield* seenBy(other)).toHaveLength(4)
      }),
    )

    check("removes what others left to it", () =>
      Effect.gen(function* () {
        const port = yield* Store
        yield* storeBought
        yield* port.eraseAccountData(one)
        yield* port.eraseAccountData(other)
        for (const { id: gone } of Object.values(bought)) {
          const kinds = ["payment_intent", "channel_request", "refund", "refund_request"] as const
          for (const kind of kinds) expect(yield* port.find(kind, gone), gone).toBeUndefined()
        }
        expect(yield* keyHolder("trade:1")).toBeUndefined()
        expect(yield* keyHolder("return:1")).toBeUndefined()
        expect(yield* port.nextDueAt()).toBeUndefined()
      }),
    )

    check("removes the use of its tabs, and lets the next one begin at nothing", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const mine = { account_id: one, payee_account_id: other }
        yield* store(
          insert("tab", aTab({ ...mine })),
          insert("tab", aTab({ n: 2, agent_id: "agent-3" })),
          insert("usage_record", aUsage({ account_id: other })),
          insert("usage_record", aUsage({ n: 2, account_id: other, period: 1 })),
          insert("usage_record", aUsage({ n: 3, account_id: other, tab: id("tab", 2) })),
        )
        const [first, second] = [aTab(), aTab({ n: 2 })]
        const counters = [
          periodCounter(first, 0),
          periodCounter(first, 12),
          periodCounter(second, 0),
        ]
        yield* commit({
          writes: [],
          reservations: counters.map((counter) => ({ counter, add: 5, limit: 5 })),
        })
        yield* port.eraseAccountData(one)
        expect(yield* port.find("tab", first.id)).toBeUndefined()
        expect(yield* port.find("usage_record", id("use", 2))).toBeUndefined()
        expect(yield* port.sumUsage(first.id, 0)).toStrictEqual({ quantity: "0", records: 0 })
        expect(yield* port.sumUsage(second.id, 0)).toStrictEqual({ quantity: "2.5", records: 1 })
        expect(yield* port.readCounters(counters)).toStrictEqual([0, 0, 5])
      }),
    )
  })
