import { Clock, Effect, Result } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { replyWith } from "../idempotency/Once.ts"
import { view } from "../payments/IntentView.ts"
import { Ids } from "../ports/Ids.ts"
import { Store } from "../ports/Store.ts"
import { Failure } from "../shared/Failure.ts"
import { retryConflict } from "../shared/retryConflict.ts"
import { findVisibleInvoice } from "./access.ts"
import { together, writeInvoice } from "./change.ts"
import { type Invoice, step } from "./Invoice.ts"
import { openPayment, standingPayment } from "./openPayment.ts"

const notOpen = ({ id, status }: Invoice): Failure =>
  new Failure({
    code: "INVALID_TRANSITION",
    message: `An invoice that is ${status} cannot be paid.`,
    details: { invoice: id, status, action: "pay" },
  })

const notYours = (): Failure =>
  new Failure({ code: "FORBIDDEN", message: "Only the account that an invoice is for can pay it." })

/**
 * Opens a payment for an invoice that has none under way: both are one commit, so that of two that
 * are opened at once one is stored. Fails with `Conflict` for the other.
 */
export const askForPayment = Effect.fnUntraced(function* (invoice: Invoice, viewer: string) {
  const store = yield* Store
  const { change, payment, within } = yield* openPayment(invoice)
  const first = invoice.collection === "new"
  const moved = step(invoice, { type: "asked", payment_intent: payment.id, first })
  if (Result.isFailure(moved)) return yield* notOpen(invoice)
  const now = payment.created_at
  const asked = writeInvoice("replace", moved.success.record, [], yield* Ids, now)
  const shown = view(payment, now, viewer)
  yield* within(store.commit({ ...together(asked, change), ...(yield* replyWith(shown)) }))
  return shown
})

const pay = Effect.fnUntraced(function* (caller: Caller, id: string) {
  const invoice = yield* findVisibleInvoice(caller, id)
  const { id: viewer } = caller.account
  if (invoice.account_id !== viewer) return yield* notYours()
  if (invoice.status !== "open") return yield* notOpen(invoice)
  const now = yield* Clock.currentTimeMillis
  const standing = yield* standingPayment(invoice, now)
  return standing === undefined
    ? yield* askForPayment(invoice, viewer)
    : view(standing, now, viewer)
})

/**
 * The payment by which an open invoice can be paid: a new one, unless one is under way.
 *
 * Fails with `NOT_FOUND`, `FORBIDDEN` for its payee, `INVALID_TRANSITION` for an invoice that is
 * not open, and as One-Time Pay does.
 */
export const payInvoice = Effect.fn("payInvoice")((caller: Caller, id: string) =>
  retryConflict(pay(caller, id)),
)
