import { Clock, Effect, Result } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { merge } from "../commits/Commit.ts"
import { replyWith, retryConflict } from "../idempotency/requestKey.ts"
import { type Invoice, step } from "../invoices/Invoice.ts"
import { invoiceView } from "../invoices/InvoiceView.ts"
import { settledSubscription } from "../invoices/settledSubscription.ts"
import { Store } from "../ports/Store.ts"
import { catchFailure } from "../shared/catchFailure.ts"
import { Failure } from "../shared/Failure.ts"
import { findVisibleInvoice } from "./access.ts"
import { endInvoice } from "./endInvoice.ts"

const notYours = () =>
  new Failure({
    code: "FORBIDDEN",
    message: "Only the seller that an invoice is owed to can void it.",
  })

const notOwed = ({ id, status }: Invoice) =>
  new Failure({
    code: "INVALID_TRANSITION",
    message: `An invoice that is ${status} cannot be voided. A payment is returned by a refund.`,
    details: { invoice: id, status, action: "void" },
  })

const CHARGED_AGAIN_AFTER = 60

const charged = ({ id, payment_intent, status }: Invoice) =>
  new Failure({
    code: "INVALID_TRANSITION",
    message:
      `The invoice is being charged by ${payment_intent}, and the channel may take the money. ` +
      "Void the invoice when that payment has failed, or refund the payment when it is completed.",
    details: { invoice: id, status, action: "void", payment_intent },
    // The charge has an outcome soon, so that this refusal is not kept under a key.
    retry_after: CHARGED_AGAIN_AFTER,
  })

const forgive = Effect.fnUntraced(function* (caller: Caller, id: string) {
  const invoice = yield* findVisibleInvoice(caller, id)
  if (invoice.payee_account_id !== caller.account.id) return yield* notYours()
  if (invoice.status === "void") return invoiceView(invoice)
  const now = yield* Clock.currentTimeMillis
  const event = { type: "voided", at: now } as const
  const moved = step(invoice, event)
  if (Result.isFailure(moved)) return yield* notOwed(invoice)
  const ended = yield* endInvoice(invoice, event, now).pipe(
    catchFailure(["INVALID_TRANSITION"], () => charged(invoice)),
  )
  const { record } = moved.success
  const shown = invoiceView(record)
  yield* (yield* Store).commit(
    merge(ended, yield* settledSubscription(record, now), yield* replyWith(shown)),
  )
  return shown
})

/**
 * Forgives an invoice that is open or was given up, for the seller that it is owed to: nobody has
 * to pay it any more. The payment that it waits for is voided in the same commit, so that its link
 * cannot be paid and late money goes back. A past due subscription becomes active again, unless
 * another invoice is overdue. Repeating the void changes nothing.
 *
 * Fails with `NOT_FOUND`, `FORBIDDEN` for its payer, and `INVALID_TRANSITION` for an invoice that
 * is paid, or that is being charged: the channel may take the money.
 */
export const voidInvoice = Effect.fn("voidInvoice")((caller: Caller, id: string) =>
  retryConflict(forgive(caller, id)),
)
