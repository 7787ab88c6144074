import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Caller } from "../../../core/accounts/Account.ts"
import { Store } from "../../../core/ports/Store.ts"
import { DAY } from "../../../core/shared/Timestamp.ts"
import { lookAfterIntent } from "../../../core/payments/lookAfterIntent.ts"
import { listInvoices, listSubscriptions } from "../../../core/subscriptions/listInvoices.ts"
import { lookAfterInvoice } from "../../../core/subscriptions/lookAfterInvoice.ts"
import { renewSubscription } from "../../../core/subscriptions/renewSubscription.ts"
import { subscribe } from "../../../core/subscriptions/subscribe.ts"
import { lookAfterTab } from "../../../core/invoices/tabs.ts"
import { aService } from "../../support/records.ts"
import { as, buyer, callback, deliver, seed, seller } from "../../support/world.ts"

/** A service with a plan of every interval, which is also sold by use. */
export const sold = {
  payment_methods: { one_time: true, cumulative: true, subscription: true },
  pricing: {
    one_time: [{ amount: 699, currency: "USD", label: "One answer" }],
    cumulative: { unit: "request", rate: "0.25", billing_cycle: "monthly" },
    subscription: [
      plan("day", "daily", 100),
      plan("pro", "monthly", 1_999),
      plan("year", "yearly", 9_900),
    ],
  },
} as const

function plan(plan_id: string, interval: "daily" | "monthly" | "yearly", amount: number) {
  return { plan_id, name: `The ${plan_id}`, amount, currency: "USD", interval, features: [] }
}

export const service = aService({ n: 1, ...sold })

export const seedSold = (said: object = {}) => seed({ ...sold, ...said })

export const subscribed = (plan_id = "pro", caller: Caller = as(buyer)) =>
  subscribe(caller, service.id, { plan_id })

const everything = { limit: 100, offset: 0 }

export const invoicesOf = (said: object = {}, caller: Caller = as(buyer)) =>
  Effect.map(listInvoices(caller, { ...everything, ...said }), ({ data }) => data)

export const subscriptionsOf = (caller: Caller = as(buyer)) =>
  Effect.map(listSubscriptions(caller, everything), ({ data }) => data)

/** Lets a worker do what is due once; returns whether there was any work. */
const round = Effect.fnUntraced(function* () {
  const store = yield* Store
  const now = yield* Clock.currentTimeMillis
  const claim = { limit: 100, lease: 30_000 }
  const jobs = [
    ...(yield* store.claimDue("payment_intent", now, claim)).map(lookAfterIntent),
    ...(yield* store.claimDue("invoice", now, claim)).map(lookAfterInvoice),
    ...(yield* store.claimDue("subscription", now, claim)).map(renewSubscription),
    ...(yield* store.claimDue("tab", now, claim)).map(lookAfterTab),
  ]
  for (const job of jobs) {
    yield* Effect.catchTag(Effect.asVoid(job), "Conflict", () => Effect.void)
  }
  return jobs.length > 0
})

/** All that is due now. */
export const work = Effect.fnUntraced(function* () {
  for (let n = 0; n < 500; n++) if (!(yield* round())) return
})

/** Lets days pass, with a worker that looks every day. */
export const pass = Effect.fnUntraced(function* (days: number) {
  for (let day = 0; day < days; day++) {
    yield* TestClock.adjust(DAY)
    yield* work()
  }
})

/** The payer pays a payment in its wallet. */
export const paid = (payment_intent: string | null, total_amount = "19.99") =>
  deliver(
    callback({
      out_trade_no: payment_intent ?? "",
      trade_no: `trade-${payment_intent}`,
      total_amount,
      trade_status: "SUCCESS",
      payer_id: "hum-1",
      wallet_id: "wal-1",
    }),
  )

/** Returns the names of the seller's events about an invoice or a subscription, oldest first. */
export const told = Effect.fnUntraced(function* (subject: string) {
  const events = yield* (yield* Store).list("event", { by: { account_id: seller.id }, limit: 100 })
  return events
    .filter(({ subject_id }) => subject_id === subject)
    .map(({ type }) => type)
    .toReversed()
})
