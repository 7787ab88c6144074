import { Clock, Effect, Result } from "effect"
import { type CommitPart, empty, merge } from "../commits/Commit.ts"
import { newLinks } from "../payments/registerCharges.ts"
import { finishDebit } from "../payments/debit.ts"
import { Ids } from "../ports/Ids.ts"
import { Store } from "../ports/Store.ts"
import { DAY, type Timestamp } from "../shared/Timestamp.ts"
import { writeInvoice, writeSubscription } from "../invoices/writeInvoice.ts"
import { endInvoice } from "./endInvoice.ts"
import {
  collectedLater,
  collectedUntil,
  type Invoice,
  postponed,
  step,
} from "../invoices/Invoice.ts"
import { askForPayment, beginToCharge } from "./payInvoice.ts"
import { machine } from "../invoices/Subscription.ts"
import { endedTab } from "../invoices/tabs.ts"

/** Stores when to collect an invoice again whose payer can neither be charged nor asked now. */
const tryLater = Effect.fnUntraced(function* (invoice: Invoice, now: Timestamp) {
  const change = writeInvoice("replace", collectedLater(invoice, now), [], yield* Ids, now)
  yield* (yield* Store).commit(change)
})

/** Marks an invoice whose payer could not be asked. The payer can still request a payment. */
const unasked = Effect.fnUntraced(function* (invoice: Invoice, now: Timestamp) {
  const { payment_intent } = invoice
  const moved = step(invoice, { type: "asked", payment_intent, first: true })
  if (Result.isFailure(moved)) return
  const change = writeInvoice("replace", moved.success.record, [], yield* Ids, now)
  yield* (yield* Store).commit(change)
})

/**
 * How long a charge waits for a channel that is down or over its rate, in milliseconds: a moment's
 * refusal is no reason to ask a person who has agreed to be charged.
 */
const CHARGED_WITHIN = DAY

/** Whether the last payment was a charge. Where its channel declined it, the person is asked. */
const wasCharged = Effect.fnUntraced(function* ({ payment_intent }: Invoice) {
  if (payment_intent === null) return false
  const store = yield* Store
  const requests = yield* store.list("channel_request", { by: { payment_intent } })
  return requests.some(({ action }) => action === "debit")
})

/**
 * Charges a new invoice through its payer's install, or opens a payment that a person can pay. An
 * outage, a limit that is used up or a missing rate may end before the invoice is overdue, so what
 * they refuse is tried again until then.
 */
const collect = Effect.fnUntraced(function* (invoice: Invoice, now: Timestamp) {
  if (now >= invoice.pay_by) return yield* unasked(invoice, now)
  const ask = Effect.flatMap(newLinks, (links) =>
    askForPayment(invoice, invoice.account_id, links, { again: true }),
  )
  const waits = now < invoice.created_at + CHARGED_WITHIN
  const charge = (yield* wasCharged(invoice)) ? Effect.undefined : beginToCharge(invoice, { waits })
  const begun = yield* charge.pipe(
    Effect.tap((debit) => (debit === undefined ? ask : Effect.void)),
    Effect.catchTag("Failure", () => Effect.as(tryLater(invoice, now), undefined)),
  )
  if (begun !== undefined) yield* finishDebit(begun)
})

/**
 * Returns the write of an overdue invoice's subscription, even if the subscription does not change.
 */
const pastDue = Effect.fnUntraced(function* (invoice: Invoice, now: Timestamp) {
  if (invoice.subscription === null) return empty
  const ids = yield* Ids
  const subscription = yield* (yield* Store).find("subscription", invoice.subscription)
  if (subscription === undefined) return empty
  const moved = machine.step(subscription, { type: "overdue", at: invoice.pay_by })
  return Result.isSuccess(moved)
    ? writeSubscription("replace", moved.success.record, moved.success.emit, ids, now)
    : writeSubscription("replace", subscription, [], ids, now)
})

const overdue = Effect.fnUntraced(function* (invoice: Invoice, now: Timestamp) {
  const moved = step(invoice, { type: "overdue" })
  if (Result.isFailure(moved)) return
  const { emit, record } = moved.success
  const own = writeInvoice("replace", record, emit, yield* Ids, now)
  yield* (yield* Store).commit(merge(own, yield* pastDue(invoice, now)))
})

/**
 * Returns the commit part that ends the subscription of an unpaid invoice, with its open invoices.
 */
const endedSubscription = Effect.fnUntraced(function* (invoice: Invoice, now: Timestamp) {
  const at = collectedUntil(invoice)
  const given = { type: "given_up", at } as const
  const store = yield* Store
  const subscription =
    invoice.subscription === null
      ? undefined
      : yield* store.find("subscription", invoice.subscription)
  const moved =
    subscription && machine.step(subscription, { type: "cancelled", at, reason: "unpaid" })
  if (subscription === undefined || moved === undefined || Result.isFailure(moved)) {
    return yield* endInvoice(invoice, given, now)
  }
  const { emit, record } = moved.success
  const open = yield* store.list("invoice", {
    by: { subscription: subscription.id, status: "open" },
    order: "oldest",
  })
  const others = open.filter(({ id }) => id !== invoice.id)
  const ended = yield* Effect.forEach([invoice, ...others], (each) => endInvoice(each, given, now))
  return merge(writeSubscription("replace", record, emit, yield* Ids, now), ...ended)
})

/**
 * Returns the commit part that closes a tab whose bill is given up. A closed tab is written, too,
 * so that an agent which opens it at the same time is refused.
 */
const endedTabOf = Effect.fnUntraced(function* (id: string, now: Timestamp) {
  const record = (yield* endedTab(id, now)) ?? (yield* (yield* Store).find("tab", id))
  const part: CommitPart =
    record === undefined ? empty : { writes: [{ op: "replace", kind: "tab", record }] }
  return part
})

/**
 * Gives up an invoice that was not paid in time: ends its subscription or tab, and voids its
 * payment. An invoice that is being charged waits for the outcome. Fails with `Conflict` when it is
 * paid at the same time.
 */
export const giveUp = Effect.fnUntraced(function* (invoice: Invoice, now: Timestamp) {
  const ended = yield* endedSubscription(invoice, now).pipe(
    Effect.catchTag("Failure", () => Effect.undefined),
  )
  if (ended === undefined) {
    const waiting = writeInvoice("replace", postponed(invoice, now), [], yield* Ids, now)
    return yield* (yield* Store).commit(waiting)
  }
  const tab = invoice.tab === null ? empty : yield* endedTabOf(invoice.tab, now)
  yield* (yield* Store).commit(merge(ended, tab))
})

/**
 * Does what is due for an invoice: asks the payer for a new one, marks it overdue after its term,
 * and finally gives it up. Fails with `Conflict` when it is paid at the same time.
 */
export const lookAfterInvoice = Effect.fn("lookAfterInvoice")(function* (invoice: Invoice) {
  const now = yield* Clock.currentTimeMillis
  if (invoice.due_at === null || now < invoice.due_at) return
  switch (invoice.collection) {
    case "new":
      return yield* collect(invoice, now)
    case "asked":
      return yield* overdue(invoice, now)
    case "overdue":
      return yield* giveUp(invoice, now)
  }
})
