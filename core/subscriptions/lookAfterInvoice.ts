import { Clock, Effect, Result } from "effect"
import { empty, merge } from "../commits/Commit.ts"
import { newLinks } from "../payments/registerCharges.ts"
import { finishDebit } from "../payments/debit.ts"
import { Ids } from "../ports/Ids.ts"
import { Store } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { DAY, type Timestamp } from "../shared/Timestamp.ts"
import { writeInvoice, writeSubscription } from "../invoices/writeInvoice.ts"
import { collectedLater, type Invoice, step } from "../invoices/Invoice.ts"
import { chargeOf, isLate } from "../invoices/PeriodNumbers.ts"
import { catchFailure } from "../shared/catchFailure.ts"
import { giveUp } from "./giveUp.ts"
import { caughtUp } from "./renewSubscription.ts"
import { askForPayment, beginToCharge } from "./payInvoice.ts"
import { machine } from "../invoices/Subscription.ts"

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

/** Returns the id of an invoice's first charge; undefined if the service has made that already. */
const firstCharge = Effect.fnUntraced(function* (invoice: Invoice) {
  const id = chargeOf(invoice, (yield* Vault).fingerprint, (yield* Ids).uuid())
  const made = yield* (yield* Store).find("payment_intent", id)
  return made === undefined ? id : undefined
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
  const charge = (yield* wasCharged(invoice))
    ? Effect.undefined
    : beginToCharge(invoice, { payment: yield* firstCharge(invoice), waits })
  const begun = yield* charge.pipe(
    Effect.tap((debit) => (debit === undefined ? ask : Effect.void)),
    Effect.catchTag("Failure", () => Effect.as(tryLater(invoice, now), undefined)),
  )
  if (begun !== undefined) yield* finishDebit(begun, isLate(invoice, now))
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
 * Begins the periods of an invoice's subscription that are over, or ends it, as a worker would have
 * done that came in time. Returns the invoice after that. The subscription may have ended before
 * the invoice became overdue, and its periods until it ends are owed.
 */
const afterRenewal = Effect.fnUntraced(function* (invoice: Invoice, now: Timestamp) {
  if (invoice.subscription === null) return invoice
  const store = yield* Store
  const subscription = yield* store.find("subscription", invoice.subscription)
  if (subscription === undefined || subscription.status === "cancelled") return invoice
  if (now < subscription.current_period_end) return invoice
  // The outcome of a charge decides whether it goes on: the invoice does not wait for that.
  yield* caughtUp(subscription).pipe(catchFailure(["INVALID_TRANSITION"], () => Effect.void))
  return (yield* store.find("invoice", invoice.id)) ?? invoice
})

/**
 * Does what is due for an invoice: asks the payer for a new one, marks it overdue after its term,
 * and finally gives it up. Before the last two, its subscription begins the periods that are over.
 * Fails with `Conflict` when it is paid at the same time.
 */
export const lookAfterInvoice = Effect.fn("lookAfterInvoice")(function* (claimed: Invoice) {
  const now = yield* Clock.currentTimeMillis
  const isDue = ({ due_at }: Invoice) => due_at !== null && due_at <= now
  if (!isDue(claimed)) return
  if (claimed.collection === "new") return yield* collect(claimed, now)
  const invoice = yield* afterRenewal(claimed, now)
  if (!isDue(invoice)) return
  return yield* invoice.collection === "overdue" ? giveUp(invoice, now) : overdue(invoice, now)
})
