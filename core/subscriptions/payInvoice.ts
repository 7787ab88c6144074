import { Clock, Effect, Result } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { replyWith, retryConflict } from "../idempotency/requestKey.ts"
import { type KeySpending, keySpending } from "../keys/keySpending.ts"
import { finishDebit, goOnWith, paymentName, resumedPayment } from "../payments/debit.ts"
import { view } from "../payments/IntentView.ts"
import type { PaymentIntent } from "../payments/PaymentIntent.ts"
import { Ids } from "../ports/Ids.ts"
import { Failure } from "../shared/Failure.ts"
import { findVisibleInvoice } from "./access.ts"
import { beginCharge } from "./beginCharge.ts"
import { writeInvoice } from "../invoices/writeInvoice.ts"
import { type Invoice, isOwed, step } from "../invoices/Invoice.ts"
import { type NewCharges, newLinks } from "../payments/registerCharges.ts"
import { openPayment, standingPayment } from "./openPayment.ts"
import { commitPayment } from "../payments/writeIntent.ts"

const notOwed = ({ id, status }: Invoice) =>
  new Failure({
    code: "INVALID_TRANSITION",
    message: `An invoice that is ${status} cannot be paid.`,
    details: { invoice: id, status, action: "pay" },
  })

const notYours = () =>
  new Failure({ code: "FORBIDDEN", message: "Only the account that an invoice is for can pay it." })

/**
 * Records the payment by which an invoice's payer is asked or charged. One that has failed already
 * has asked nobody, so that a worker goes on with a new invoice.
 *
 * Fails with `INVALID_TRANSITION` for one that is not owed.
 */
export const askedBy = (
  invoice: Invoice,
  { id: payment_intent, status }: { readonly id: string; readonly status?: string },
): Result.Result<Invoice, Failure<"INVALID_TRANSITION">> => {
  const first = invoice.collection === "new" && status !== "failed"
  return Result.mapBoth(step(invoice, { type: "asked", payment_intent, first }), {
    onFailure: () => notOwed(invoice),
    onSuccess: ({ record }) => record,
  })
}

/** The circumstances of a charge. */
interface Charging {
  /** The payment's id if it is already known. */
  readonly payment?: string | undefined
  /** What it takes of the budgets of the key that pays. */
  readonly keyed?: KeySpending | undefined
  /** Whether to fail while the channel takes no debits, instead of asking the person. */
  readonly waits?: boolean
}

/**
 * Charges an invoice without a payment in progress through its payer's install; undefined where the
 * person has to be asked. Invoice and payment are one commit, so that of two concurrent charges one
 * is stored. The other fails with `Conflict` before its channel is asked.
 */
export const beginToCharge = Effect.fnUntraced(function* (
  invoice: Invoice,
  { keyed, payment, waits = false }: Charging,
) {
  const ids = yield* Ids
  const now = yield* Clock.currentTimeMillis
  if (!isOwed(invoice)) return yield* notOwed(invoice)
  return yield* beginCharge(invoice, {
    payment,
    keyed,
    waits,
    also: (id) => {
      const moved = Result.getOrThrow(askedBy(invoice, { id }))
      return writeInvoice("replace", moved, [], ids, now)
    },
  })
})

const noLink = ({ channel, failure_message: message }: PaymentIntent & { status: "failed" }) =>
  new Failure({ code: "CHANNEL_ERROR", message, details: { channel } })

/**
 * Opens a payment for an invoice without one in progress. Both are one commit, so that of two
 * concurrent payments one is stored. The other fails with `Conflict`. Where the channel cannot make
 * the link, the failed payment is stored, or only told by `CHANNEL_ERROR` if it asks `again`.
 */
export const askForPayment = Effect.fnUntraced(function* (
  invoice: Invoice,
  viewer: string,
  links: NewCharges<void>,
  { again = false, keyed }: { readonly again?: boolean } & Pick<Charging, "keyed">,
) {
  const { draft, part, payment } = yield* openPayment(invoice, links, keyed)
  if (again && payment.status === "failed") return yield* noLink(payment)
  const moved = yield* Effect.fromResult(askedBy(invoice, payment))
  const now = payment.created_at
  const asked = writeInvoice("replace", moved, [], yield* Ids, now)
  const shown = view(payment, now, viewer)
  yield* commitPayment(draft, payment, asked, part, yield* replyWith(shown))
  return shown
})

const begin = Effect.fnUntraced(function* (caller: Caller, id: string, links: NewCharges<void>) {
  const invoice = yield* findVisibleInvoice(caller, id)
  const { id: viewer } = caller.account
  if (invoice.account_id !== viewer) return yield* notYours()
  if (!isOwed(invoice)) return yield* notOwed(invoice)
  const now = yield* Clock.currentTimeMillis
  const standing = yield* standingPayment(invoice, now)
  if (standing !== undefined) return { shown: view(standing, now, viewer) }
  const keyed = yield* keySpending(caller, invoice.amount, now)
  const debit = yield* beginToCharge(invoice, { payment: yield* paymentName(), keyed })
  if (debit !== undefined) return { debit }
  return { shown: yield* askForPayment(invoice, viewer, links, { keyed }) }
})

/**
 * Returns the payment by which an invoice can be paid that is open or was given up: the one in
 * progress, or a new one. A new one is charged immediately where the payer's install allows that.
 * It counts against the budgets of the caller's key until it ends unpaid.
 *
 * Fails with `NOT_FOUND`, `FORBIDDEN` for its payee, `INVALID_TRANSITION` for an invoice that is
 * paid or void, and as One-Time Pay does.
 */
export const payInvoice = Effect.fn("payInvoice")(function* (caller: Caller, id: string) {
  const viewer = caller.account.id
  const resumed = yield* resumedPayment()
  if (resumed !== undefined) {
    const payment = yield* goOnWith(resumed)
    return view(payment, yield* Clock.currentTimeMillis, viewer)
  }
  const begun = yield* retryConflict(begin(caller, id, yield* newLinks))
  if (begun.debit === undefined) return begun.shown
  const payment = yield* finishDebit(begun.debit)
  return view(payment, yield* Clock.currentTimeMillis, viewer)
})
