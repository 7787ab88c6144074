import { Effect, Result } from "effect"
import { empty } from "../commits/Commit.ts"
import { Ids } from "../ports/Ids.ts"
import { Store } from "../ports/Store.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { Invoice } from "./Invoice.ts"
import { machine } from "./Subscription.ts"
import { writeSubscription } from "./writeInvoice.ts"

/**
 * Returns the writes by which an invoice that is paid or voided changes its subscription: a past
 * due one becomes active again, unless another invoice is overdue. A past due subscription is
 * written in both cases, so that two of its last invoices that end at once are decided one after
 * the other.
 */
export const settledSubscription = Effect.fnUntraced(function* (invoice: Invoice, at: Timestamp) {
  if (invoice.subscription === null) return empty
  const store = yield* Store
  const ids = yield* Ids
  const subscription = yield* store.find("subscription", invoice.subscription)
  if (subscription?.status !== "past_due") return empty
  const open = yield* store.list("invoice", {
    by: { subscription: subscription.id, status: "open" },
    order: "oldest",
  })
  const owes = open.some(({ collection, id }) => id !== invoice.id && collection === "overdue")
  const moved = machine.step(subscription, { type: "settled" })
  if (owes || Result.isFailure(moved))
    return writeSubscription("replace", subscription, [], ids, at)
  const { emit, record } = moved.success
  return writeSubscription("replace", record, emit, ids, at)
})
