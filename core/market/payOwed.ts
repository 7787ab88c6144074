import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { answerPurchase } from "../agents/answerPurchase.ts"
import type { Invoice } from "../invoices/Invoice.ts"
import { canonicalJson } from "../shared/Text.ts"
import { findVisibleInvoice } from "../subscriptions/access.ts"
import { payInvoice } from "../subscriptions/payInvoice.ts"
import { lookAtPayment } from "./lookAtPayment.ts"
import { checkSaid, type PayOwedInput } from "./OwedInvoice.ts"
import { receipt } from "./Receipt.ts"

/**
 * Returns the invoice's payment. A repeated call needs no key: the payment in progress is the same
 * one, and a paid invoice is not paid again.
 */
const payment = Effect.fnUntraced(function* (
  caller: Caller,
  invoice: Invoice,
  idempotency_key: string | undefined,
) {
  const { id, payment_intent } = invoice
  if (invoice.status === "paid" && invoice.account_id === caller.account.id) {
    if (payment_intent !== null) return { id: payment_intent, replayed: true }
  }
  if (idempotency_key === undefined) {
    const paid = yield* payInvoice(caller, id)
    return { id: paid.id, replayed: paid.id === payment_intent }
  }
  const request = `tools/call pay ${canonicalJson({ invoice_id: id })}`
  const purchase = { purchase: request, request, idempotency_key }
  const { replayed, view } = yield* answerPurchase(caller, purchase, payInvoice(caller, id))
  return { id: String(Reflect.get(view, "id")), replayed }
})

/**
 * Pays an invoice of a subscription or a tab that is still owed: returns its payment in progress,
 * or a new one. A call again returns the current state of that payment.
 *
 * Fails with `NOT_FOUND`, with `INVALID_REQUEST` for arguments that contradict the invoice, and as
 * `payInvoice` does.
 */
export const payOwed = Effect.fn("payOwed")(function* (caller: Caller, said: PayOwedInput) {
  const invoice = yield* findVisibleInvoice(caller, said.invoice_id)
  yield* Effect.fromResult(checkSaid(invoice, said))
  const { id, replayed } = yield* payment(caller, invoice, said.idempotency_key)
  const known = yield* lookAtPayment(caller, id)
  return { ...(replayed && { replayed }), ...receipt(known) }
})
