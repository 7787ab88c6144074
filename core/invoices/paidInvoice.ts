import { Effect, Result } from "effect"
import { type CommitPart, empty, merge } from "../commits/Commit.ts"
import { Ids } from "../ports/Ids.ts"
import { Store } from "../ports/Store.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { writeInvoice, writeSubscription } from "./writeInvoice.ts"
import { type Invoice, step } from "./Invoice.ts"
import { machine } from "./Subscription.ts"

/**
 * What a paid invoice does to its subscription: one that is past due is active again, unless
 * another invoice is overdue. A past due one is written either way, so that two last invoices that
 * are paid at once are decided one after the other.
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

/** A payment as far as the invoice that it is to pay is concerned. */
interface InvoicePayment {
  readonly invoice: string | null
  readonly status: string
}

/**
 * What the success of a payment does to the invoice that it pays, as a part of the same commit. For
 * payments without an invoice it is empty, and the store is not asked.
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
