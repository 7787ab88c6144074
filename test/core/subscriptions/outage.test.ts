import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Store } from "../../../core/ports/Store.ts"
import { DAY } from "../../../core/shared/Timestamp.ts"
import { cancelSubscription } from "../../../core/subscriptions/cancelSubscription.ts"
import { getSubscription } from "../../../core/subscriptions/listInvoices.ts"
import { lookAfterInvoice } from "../../../core/subscriptions/lookAfterInvoice.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { as, buyer, world } from "../../support/world.ts"
import { invoicesOf, pass, seedSold, subscribed, told, work } from "./billingWorld.ts"

/** Lets a worker do what is due for an invoice, before it comes to the invoice's subscription. */
const lookAfter = Effect.fnUntraced(function* (id: string) {
  const invoice = yield* (yield* Store).find("invoice", id)
  if (invoice !== undefined) yield* lookAfterInvoice(invoice)
})

const invoicesFirst = Effect.fnUntraced(function* (id: string) {
  yield* lookAfter(id)
  yield* lookAfter(id)
  yield* work()
})

/** Everything that a subscription and its invoices show after their end, without random ids. */
const shown = Effect.fnUntraced(function* (id: string) {
  const invoices = yield* invoicesOf({ subscription: id })
  const { cancel_reason, cancelled_at, past_due_at, status } = yield* getSubscription(as(buyer), id)
  return {
    subscription: { cancel_reason, cancelled_at, past_due_at, status },
    periods: invoices.map((each) => [each.period_start.slice(0, 10), each.status]).toReversed(),
  }
})

const away = TestClock.adjust(18 * DAY)

const WORKERS = [
  ["came every day", () => pass(18)],
  ["was away, and comes to both at once", () => Effect.andThen(away, work())],
  [
    "was away, and comes to invoices first",
    (id: string) => Effect.andThen(away, invoicesFirst(id)),
  ],
] as const

describe("a daily subscription that ends while its invoice is unpaid", () => {
  for (const [name, live] of WORKERS) {
    it.effect(`owes each of its periods, if a worker ${name}`, () =>
      Effect.gen(function* () {
        yield* seedSold()
        const { id, latest_invoice } = yield* subscribed("day")
        yield* pass(2)
        yield* live(latest_invoice)
        expect(yield* shown(id)).toStrictEqual({
          subscription: {
            status: "cancelled",
            cancel_reason: "unpaid",
            cancelled_at: "2026-01-15T00:00:00.000Z",
            past_due_at: undefined,
          },
          periods: Array.from({ length: 14 }, (_, day) => [
            `2026-01-${String(day + 1).padStart(2, "0")}`,
            "uncollectible",
          ]),
        })
      }).pipe(Effect.orDie, Effect.provide(world(makeScript()))),
    )

    it.effect(`ends as its agent wished, if a worker ${name}`, () =>
      Effect.gen(function* () {
        yield* seedSold()
        const { id, latest_invoice } = yield* subscribed("day")
        yield* work()
        yield* cancelSubscription(as(buyer), id, {})
        yield* live(latest_invoice)
        expect(yield* shown(id)).toStrictEqual({
          subscription: {
            status: "cancelled",
            cancel_reason: "requested",
            cancelled_at: "2026-01-02T00:00:00.000Z",
            past_due_at: undefined,
          },
          periods: [["2026-01-01", "uncollectible"]],
        })
        expect(yield* told(id)).toStrictEqual([
          "subscription.created",
          "subscription.cancel_scheduled",
          "subscription.cancelled",
        ])
      }).pipe(Effect.orDie, Effect.provide(world(makeScript()))),
    )
  }
})
