import { Effect, Result } from "effect"
import { type CommitPart, empty, merge } from "../commits/Commit.ts"
import { Ids } from "../ports/Ids.ts"
import { Store } from "../ports/Store.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { writeInvoice, writeSubscription } from "./writeInvoice.ts"
import { type Invoice, step } from "./Invoice.ts"
import { machine } from "./Subscription.ts"

/**
 * Returns the writes by which a paid invoice changes its subscription: a past due one becomes
 * active again, unless another invoice is overdue. A past due subscription is written in both
 * cases, so that two concurrent payments of its last invoices are decided one after the other.
 */
const settledSubscription = Effect.fnUntraced(function* (invoice: Invoice, at: Timestamp) {
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

/** The fields of a payment that its invoice needs. */
interface InvoicePayment {
  readonly invoice: string | null
  readonly status: string
}

/**
 * Returns the commit part by which a completed payment pays its invoice. For payments without an
 * invoice it is empty, and nothing is read from the store.
 */
export const paidInvoice = Effect.fnUntraced(function* (
  before: InvoicePayment | undefined,
  after: InvoicePayment,
  at: Timestamp,
) {
  if (after.invoice === null || after.status !== "completed") return empty
  if (before?.status === "completed") return empty
  const invoice = yield* (yield* Store).find("invoice", after.invoice)
  const moved = invoice && step(invoice, { type: "paid", at })
  if (moved === undefined || Result.isFailure(moved)) return empty
  const { emit, record } = moved.success
  const paid: CommitPart = writeInvoice("replace", record, emit, yield* Ids, at)
  return merge(paid, yield* settledSubscription(record, at))
})
