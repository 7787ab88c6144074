import { Effect } from "effect"
import { spenderOf } from "../kyc/limits/payers.ts"
import { draftIntent } from "../payments/draftIntent.ts"
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

/** How long a link can be paid: as long as a rate is good for. */
const LINK_LIFETIME = DAY

const MOST_DESCRIBED = 900

const describe = ({ lines, period_end, period_start }: Invoice): string => {
  const what = lines.map(({ description }) => description).join(", ")
  return `${what.slice(0, MOST_DESCRIBED)}, ${utcDay(period_start)} to ${utcDay(period_end)}`
}

/** What the payment of an invoice is priced as. */
export const methodOf = ({ subscription }: Invoice): PaymentMethod =>
  subscription === null ? "cumulative" : "subscription"

/**
 * An invoice's payment before a channel has been chosen for it: an ordinary One-Time payment of its
 * payer. The service need not be active, since what is owed is no new business.
 *
 * Fails with `NOT_FOUND` where the service is gone, and with `INSUFFICIENT_KYC`.
 */
export const draftPayment = Effect.fnUntraced(function* (
  invoice: Invoice,
  capped: boolean,
  numbers: PaymentNumbers,
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
    },
    { amount, description: describe(invoice) },
    LINK_LIFETIME,
    numbers,
  )
})

/**
 * A payment by which a person is to pay an invoice, priced by what it is for, with the part of the
 * commit that stores it. What is owed counts against no spend cap where a person is asked.
 *
 * Fails with `NOT_FOUND` where the service is gone, and as One-Time Pay does.
 */
export const openPayment = Effect.fnUntraced(function* (invoice: Invoice, links: NewCharges<void>) {
  const draft = yield* draftPayment(invoice, false, links)
  const { emit, record } = yield* linkPayment(draft, undefined, methodOf(invoice), links)
  const now = draft.intent.created_at
  const events = paymentEvents(record, emit, yield* Ids, now)
  const part = merge(inserted(record), { events })
  return { payment: record, draft, part }
})

/** Stores such a payment. It has no cap to pass, so that a cap that refuses it is a defect. */
export const commitOwed = (...payment: Parameters<typeof commitPayment>) =>
  commitPayment(...payment).pipe(catchFailure(["SPEND_CAP_EXCEEDED"], Effect.die))

/**
 * The payment under way for an open invoice, of which there is one at most; undefined where the
 * last one has ended. Fails with `Conflict` where the invoice has been paid meanwhile.
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
