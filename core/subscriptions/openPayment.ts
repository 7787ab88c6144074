import { Effect } from "effect"
import { spenderOf } from "../kyc/limits/payers.ts"
import { draftIntent } from "../payments/draftIntent.ts"
import type { KeySpending } from "../keys/keySpending.ts"
import { linkPayment } from "../payments/createOneTime.ts"
import { settledAsOf } from "../payments/expireIntent.ts"
import { hasEnded, type PaymentIntent } from "../payments/PaymentIntent.ts"
import type { NewCharges, PaymentNumbers } from "../payments/registerCharges.ts"
import { commitPayment, inserted } from "../payments/writeIntent.ts"
import { merge } from "../commits/Commit.ts"
import { Ids } from "../ports/Ids.ts"
import { Conflict, Store, type StoreUnavailable } from "../ports/Store.ts"
import type { Vault } from "../ports/Vault.ts"
import type { PaymentMethod } from "../pricing/Price.ts"
import { catchFailure } from "../shared/catchFailure.ts"
import { notFound } from "../shared/Failure.ts"
import { DAY, type Timestamp, utcDay } from "../shared/Timestamp.ts"
import { paymentEvents } from "../payments/PaymentEvent.ts"
import type { Invoice } from "../invoices/Invoice.ts"

/** How long a link can be paid, in milliseconds: as long as a rate is valid. */
const LINK_LIFETIME = DAY

const MOST_DESCRIBED = 900

const describe = ({ lines, period_end, period_start }: Invoice): string => {
  const what = lines.map(({ description }) => description).join(", ")
  return `${what.slice(0, MOST_DESCRIBED)}, ${utcDay(period_start)} to ${utcDay(period_end)}`
}

/** Returns the payment method that prices an invoice's payment. */
export const methodOf = ({ subscription }: Invoice): PaymentMethod =>
  subscription === null ? "cumulative" : "subscription"

/**
 * Drafts an invoice's payment before a channel is chosen: an ordinary One-Time payment of its
 * payer. The service need not be active, since the money is already owed. `keyed` is what it takes
 * of the budgets of the key that pays; it gives that back if it ends unpaid.
 *
 * Fails with `NOT_FOUND` where the service does not exist, and with `INSUFFICIENT_KYC`.
 */
export const draftPayment = Effect.fnUntraced(function* (
  invoice: Invoice,
  capped: boolean,
  numbers: PaymentNumbers,
  keyed?: KeySpending,
) {
  const store = yield* Store
  const service = yield* store.find("service", invoice.service_id)
  const payee = yield* store.find("account", invoice.payee_account_id)
  if (service === undefined || payee === undefined) {
    return yield* notFound("service", invoice.service_id)
  }
  const { account_id, amount, payer } = invoice
  return yield* draftIntent(
    {
      capped,
      account_id,
      service,
      payee,
      payer: { account_id, ...payer },
      spender: yield* spenderOf(account_id, payer.agent_id),
      invoice: invoice.id,
      keyed,
    },
    { amount, description: describe(invoice) },
    LINK_LIFETIME,
    numbers,
  )
})

/**
 * Makes a payment by which a person can pay an invoice, and the commit part that stores it. Money
 * that is already owed counts against no spend cap when a person pays it.
 *
 * Fails with `NOT_FOUND` where the service does not exist, and as One-Time Pay does.
 */
export const openPayment = Effect.fnUntraced(function* (
  invoice: Invoice,
  links: NewCharges<void>,
  keyed?: KeySpending,
) {
  const draft = yield* draftPayment(invoice, false, links, keyed)
  const { emit, record } = yield* linkPayment(draft, undefined, methodOf(invoice), links)
  const now = draft.intent.created_at
  const events = paymentEvents(record, emit, yield* Ids, now)
  const part = merge(inserted(record), { events })
  return { payment: record, draft, part }
})

/** Stores such a payment of no key. It has no spend cap, so that a refusal by a cap is a defect. */
export const commitOwed = (...payment: Parameters<typeof commitPayment>) =>
  commitPayment(...payment).pipe(catchFailure(["SPEND_CAP_EXCEEDED"], Effect.die))

/**
 * Finds the payment in progress of an open invoice, of which there is at most one; undefined where
 * the last one has ended. Fails with `Conflict` where the invoice has been paid meanwhile.
 */
export const standingPayment = Effect.fnUntraced(function* (
  invoice: Invoice,
  now: Timestamp,
): Effect.fn.Return<PaymentIntent | undefined, Conflict | StoreUnavailable, Ids | Store | Vault> {
  if (invoice.payment_intent === null) return undefined
  const stored = yield* (yield* Store).find("payment_intent", invoice.payment_intent)
  if (stored === undefined) return undefined
  const payment = yield* settledAsOf(stored, now)
  if (payment.status === "completed") {
    return yield* new Conflict({
      reason: { type: "stale_version", kind: "invoice", id: invoice.id },
    })
  }
  return hasEnded(payment) ? undefined : payment
})
