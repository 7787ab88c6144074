import { Clock, Effect, Result, Schema } from "effect"
import { empty, merge } from "../commits/Commit.ts"
import type { Caller } from "../accounts/Account.ts"
import { Ids } from "../ports/Ids.ts"
import { Store } from "../ports/Store.ts"
import { retryConflict } from "../idempotency/requestKey.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { findVisibleSubscription } from "./access.ts"
import { writeSubscription } from "../invoices/writeInvoice.ts"
import { endInvoice } from "./endInvoice.ts"
import { caughtUp } from "./renewSubscription.ts"
import { machine, type Subscription, type SubscriptionEvent } from "../invoices/Subscription.ts"
import { subscriptionView } from "../invoices/SubscriptionView.ts"

/** The query of `DELETE /v1/subscriptions/{id}`. */
export const CancelQuery = Schema.Struct({
  now: Schema.optionalKey(Schema.Literals(["true", "false"])).annotateKey({
    description: "`true` ends the subscription at once. Otherwise it ends with its paid period.",
  }),
})
export type CancelQuery = typeof CancelQuery.Type

/** Returns the commit part that voids the current period's invoice if it is unpaid. */
const voidedInvoice = Effect.fnUntraced(function* (subscription: Subscription, now: Timestamp) {
  const invoice = yield* (yield* Store).find("invoice", subscription.latest_invoice)
  if (invoice?.status !== "open" || invoice.period !== subscription.period) return empty
  return yield* endInvoice(invoice, { type: "voided", at: now }, now)
})

const cancel = Effect.fnUntraced(function* (caller: Caller, id: string, immediately: boolean) {
  const subscription = yield* caughtUp(yield* findVisibleSubscription(caller, id))
  const scheduled = !immediately && subscription.cancel_at_period_end
  if (subscription.status === "cancelled" || scheduled) return subscriptionView(subscription)
  const now = yield* Clock.currentTimeMillis
  const event: SubscriptionEvent = immediately
    ? { type: "cancelled", at: now, reason: "requested" }
    : { type: "cancel_requested" }
  const { emit, record } = Result.getOrThrow(machine.step(subscription, event))
  yield* (yield* Store).commit(
    merge(
      writeSubscription("replace", record, emit, yield* Ids, now),
      immediately ? yield* voidedInvoice(subscription, now) : empty,
    ),
  )
  return subscriptionView(record)
})

/**
 * Ends a subscription for its subscriber or its seller: at the end of the current period, or now,
 * which voids that period's unpaid invoice with its payment. Periods that are over by now are
 * begun first, so that they stay owed even if no worker has come. Nothing is paid back. Repeating
 * the request returns the same.
 *
 * Fails with `INVALID_TRANSITION` where it should end now while its invoice is being charged, and
 * while it depends on such a charge whether the subscription has ended before.
 */
export const cancelSubscription = Effect.fn("cancelSubscription")(
  (caller: Caller, id: string, query: CancelQuery) =>
    retryConflict(cancel(caller, id, query.now === "true")),
)
