import { Effect } from "effect"
import { describe, expect } from "vitest"
import { endOf, monthOf, startOf } from "../../../core/billing/Month.ts"
import type { Offer } from "../../../core/payments/PaymentIntent.ts"
import { Store } from "../../../core/ports/Store.ts"
import { anIntent, id, oneTimeIn, T0, uuid } from "../../support/records.ts"
import { type Check, commit, insert, store } from "./probe.ts"

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
      now: endOf(month),
    }),
  )

/** What accounts have used, as far as a store counts it. */
export const usage = (check: Check): unknown =>
  describe("usage", () => {
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
        expect(yield* codes(3)).toBe(0)
      }),
    )
  })
