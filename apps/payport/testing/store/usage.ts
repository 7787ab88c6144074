import { Effect } from "effect"
import { expect } from "../expect.ts"
import { usageCounter } from "../../../../core/billing/Meter.ts"
import { endOf, monthOf, nextMonth, startOf } from "../../../../core/shared/Month.ts"
import type { Offer } from "../../../../core/payments/PaymentIntent.ts"
import { Store } from "../../../../core/ports/Store.ts"
import {
  aCycle,
  anIntent,
  aStatement,
  id,
  intentIn,
  oneTimeIn,
  T0,
  uuid,
} from "../records/index.ts"
import { type StoreCheck, commit, insert, store, tryCommit } from "./probe.ts"

const month = monthOf(T0)

const offers = (n: number, count: number): ReadonlyArray<Offer> =>
  Array.from({ length: count }, (_, place) => ({
    channel: `wallet_${place}`,
    charge_id: `qr_${uuid(n * 100 + place)}`,
    qr_data: "data",
    scan_url: "https://pay.test/pay",
    label: "A wallet",
  }))

const codes = (account: number) =>
  Effect.flatMap(Store, (port) =>
    port.countQrCodes({
      account_id: id("acct", account),
      from: startOf(month),
      to: endOf(month),
      counter: usageCounter(id("acct", account), month, "qr-generation"),
      now: endOf(month),
    }),
  )

/** Checks the usage of accounts, as far as a store counts it. */
export const usage = (check: StoreCheck): unknown =>
  check.group("usage", () => {
    check("counters are read in the order of their names, and begin at nothing", () =>
      Effect.gen(function* () {
        const port = yield* Store
        expect(yield* port.readCounters([])).toStrictEqual([])
        const limit = Number.MAX_SAFE_INTEGER
        yield* commit({
          writes: [],
          reservations: [
            { counter: "usage b", add: 2, limit },
            { counter: "usage a", add: 1, limit },
            { counter: "usage b", add: 3, limit },
          ],
        })
        expect(yield* port.readCounters(["usage a", "none", "usage b"])).toStrictEqual([1, 0, 5])
      }),
    )

    check("an account has one statement a month, listed newest first by itself", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const [first, second] = [aStatement({ n: 1 }), aStatement({ n: 2 })]
        const others = aStatement({ n: 3, account_id: id("acct", 2), month: first.month })
        yield* store(
          insert("statement", first),
          insert("statement", second),
          insert("statement", others),
        )
        const again = { ...first, id: id("stmt", 4) }
        expect(yield* tryCommit({ writes: [insert("statement", again)] })).toMatchObject({
          type: "key_taken",
        })
        const mine = { by: { account_id: first.account_id }, limit: 10 }
        expect(yield* port.list("statement", mine)).toStrictEqual([second, first])
        const after = { ...mine, after: second.id }
        expect(yield* port.list("statement", after)).toStrictEqual([first])
        expect(yield* port.find("statement", others.id)).toStrictEqual(others)
        const { account_id, month: other } = others
        expect(yield* port.findBy("statement", { account_id, month: other })).toStrictEqual(others)
        expect(yield* port.findBy("statement", { account_id, month: second.month })).toBeUndefined()
        const cycle = aCycle({ n: 1 })
        yield* store(insert("billing_cycle", cycle))
        expect(yield* port.find("billing_cycle", cycle.id)).toStrictEqual(cycle)
      }),
    )

    check("what an account is billed outlives its data", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const statement = aStatement({ n: 1 })
        const cycle = aCycle({ n: 1 })
        const limit = Number.MAX_SAFE_INTEGER
        yield* commit({
          writes: [insert("statement", statement), insert("billing_cycle", cycle)],
          reservations: [{ counter: "usage a", add: 2, limit }],
        })
        yield* port.eraseAccountData(statement.account_id)
        expect(yield* port.find("statement", statement.id)).toStrictEqual(statement)
        expect(yield* port.find("billing_cycle", cycle.id)).toStrictEqual(cycle)
        expect(yield* port.readCounters(["usage a"])).toStrictEqual([2])
      }),
    )

    check("an account's QR codes of each month outlive the payments that they were made for", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const [mine, others] = [id("acct", 1), id("acct", 2)]
        const counter = (account: string, of: string) => usageCounter(account, of, "qr-generation")
        const next = nextMonth(month)
        const made = (n: number, said: object) =>
          insert("payment_intent", anIntent({ n, account_id: mine, ...said }))
        const last = { created_at: endOf(month) - 1, expires_at: endOf(month) }
        const first = { created_at: endOf(month), expires_at: endOf(month) + 1 }
        yield* store(
          made(1, { offers: offers(1, 1) }),
          made(2, { offers: offers(2, 3), ...last }),
          made(3, { offers: offers(3, 2), ...first }),
          made(4, { offers: [] }),
          made(5, { offers: offers(5, 7), account_id: others }),
        )
        const limit = Number.MAX_SAFE_INTEGER
        yield* commit({
          writes: [],
          reservations: [{ counter: counter(mine, next), add: 10, limit }],
        })
        const erase = port.eraseAccountData(mine)
        yield* Effect.all([erase, erase, erase], { concurrency: 3, discard: true })
        yield* erase
        const counters = [counter(mine, month), counter(mine, next), counter(others, month)]
        expect(yield* port.readCounters(counters)).toStrictEqual([4, 12, 0])
        expect([yield* codes(1), yield* codes(2)]).toStrictEqual([4, 7])
      }),
    )

    check("what erased payments hold of limits and caps is given back, once", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const counters = [
          "kyc_day:a:2026-01-01",
          "kyc_day:b:2026-01-01",
          "install_spend:c:2026-01-01",
        ]
        const keys = ["key_spend:d:USD:total:ever", "key_spend:e:USD:daily:2026-01-01"]
        const limit = Number.MAX_SAFE_INTEGER
        yield* commit({
          writes: [],
          reservations: [...counters, ...keys].map((counter) => ({ counter, add: 1_000, limit })),
        })
        const [agent = "", account = "", install = ""] = counters
        const both = { cents: 100, counters: [agent, account] }
        const capped = { cents: 7, counters: [agent], capped: { value: 30, counters: [install] } }
        const keyed = {
          ...capped,
          keyed: keys.map((counter, n) => ({ value: 40 + n, counters: [counter] })),
        }
        const gone = { cents: 500, counters: ["kyc_day:z:2025-12-01"] }
        yield* store(
          insert("payment_intent", anIntent({ n: 1, spending: both })),
          insert("payment_intent", intentIn("succeeded", { n: 2, spending: both })),
          insert("payment_intent", oneTimeIn("completed", { n: 3, spending: keyed })),
          insert("payment_intent", intentIn("voided", { n: 4, spending: both })),
          insert("payment_intent", oneTimeIn("expired", { n: 5, spending: keyed })),
          insert("payment_intent", anIntent({ n: 6, spending: gone })),
          insert("payment_intent", anIntent({ n: 7, account_id: id("acct", 2), spending: both })),
        )
        const erase = port.eraseAccountData(id("acct", 1))
        yield* Effect.all([erase, erase, erase], { concurrency: 3, discard: true })
        const left = yield* port.readCounters([...counters, ...keys, ...gone.counters])
        const spent = [207, 200, 30, 40, 41].map((part) => 1_000 - part)
        expect(left).toStrictEqual([...spent, 0])
      }),
    )

    check("a QR code is counted once while its payment is removed", () =>
      Effect.gen(function* () {
        const mine = id("acct", 1)
        const counter = usageCounter(mine, month, "qr-generation")
        const limit = Number.MAX_SAFE_INTEGER
        const made = Array.from({ length: 20 }, (_, n) =>
          anIntent({ n: n + 1, account_id: mine, offers: offers(n + 1, 2) }),
        )
        yield* store(...made.map((record) => insert("payment_intent", record)))
        const removing = Effect.forEach(made, (record) =>
          commit({
            writes: [{ op: "remove", kind: "payment_intent", record }],
            reservations: [{ counter, add: 2, limit }],
          }),
        )
        const counting = Effect.forEach(made, () => codes(1))
        const [, counted] = yield* Effect.all([removing, counting], { concurrency: 2 })
        expect(new Set([...counted, yield* codes(1)])).toStrictEqual(new Set([40]))
      }),
    )

    check("a QR code that is not billed counts with its payment, and after it, as nothing", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const mine = id("acct", 1)
        const counter = usageCounter(mine, month, "qr-generation")
        const limit = Number.MAX_SAFE_INTEGER
        const made = (n: number) => {
          const record = anIntent({ n, account_id: mine, offers: offers(n, 2) })
          return { record, less: [{ counter, add: -2, limit }] }
        }
        const [gone, erased] = [made(1), made(2)]
        yield* commit({ writes: [insert("payment_intent", gone.record)], reservations: gone.less })
        yield* store(
          insert("payment_intent", anIntent({ n: 3, account_id: mine, offers: offers(3, 1) })),
        )
        expect(yield* codes(1)).toBe(1)
        yield* commit({
          writes: [
            { op: "remove", kind: "payment_intent", record: gone.record },
            insert("payment_intent", erased.record),
          ],
          reservations: [{ counter, add: 2, limit }, ...erased.less],
        })
        expect(yield* codes(1)).toBe(1)
        yield* port.eraseAccountData(mine)
        expect(yield* codes(1)).toBe(1)
      }),
    )

    check("an account's QR codes of a month are those of the payments it created in it", () =>
      Effect.gen(function* () {
        const mine = id("acct", 1)
        const others = id("acct", 2)
        expect(yield* codes(1)).toBe(0)
        yield* store(
          insert("payment_intent", anIntent({ n: 1, account_id: mine, offers: offers(1, 1) })),
          insert("payment_intent", anIntent({ n: 2, account_id: mine, offers: offers(2, 3) })),
          insert("payment_intent", anIntent({ n: 3, account_id: mine, offers: [] })),
          insert("payment_intent", oneTimeIn("pending", { n: 4, account_id: mine, offers: [] })),
          insert(
            "payment_intent",
            anIntent({
              n: 5,
              account_id: others,
              payee_account_id: mine,
              payer_account_id: mine,
              offers: offers(5, 1),
            }),
          ),
          insert(
            "payment_intent",
            anIntent({
              n: 6,
              account_id: mine,
              created_at: endOf(month) - 1,
              offers: offers(6, 1),
            }),
          ),
          insert(
            "payment_intent",
            anIntent({ n: 7, account_id: mine, created_at: endOf(month), offers: offers(7, 1) }),
          ),
          insert(
            "payment_intent",
            anIntent({
              n: 8,
              account_id: mine,
              created_at: startOf(month) - 1,
              offers: offers(8, 1),
            }),
          ),
        )
        expect(yield* codes(1)).toBe(5)
        expect(yield* codes(2)).toBe(1)
        const counter = usageCounter(mine, month, "qr-generation")
        const limit = Number.MAX_SAFE_INTEGER
        yield* commit({ writes: [], reservations: [{ counter, add: 7, limit }] })
        expect(yield* codes(1)).toBe(12)
        expect(yield* codes(3)).toBe(0)
      }),
    )
  })
