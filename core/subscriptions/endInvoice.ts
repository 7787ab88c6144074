import { Effect, Result } from "effect"
import { empty, merge } from "../commits/Commit.ts"
import { writeMove } from "../payments/writeMove.ts"
import { closedByEnding, end, invalidTransition } from "../payments/Lifecycle.ts"
import { Ids } from "../ports/Ids.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { writeInvoice } from "../invoices/writeInvoice.ts"
import { type Invoice, type InvoiceEvent, step } from "../invoices/Invoice.ts"
import { standingPayment } from "./openPayment.ts"

/** Returns the commit part that voids the payment which an invoice waits for. */
const voided = Effect.fnUntraced(function* (invoice: Invoice, now: Timestamp) {
  const payment = yield* standingPayment(invoice, now)
  // The channel may take the money of this payment, so it cannot be voided.
  if (payment?.status === "debiting") return yield* invalidTransition(payment, "voided")
  const moved = payment && end(payment, { type: "voided", at: now })
  if (payment === undefined || moved === undefined || Result.isFailure(moved)) return empty
  return yield* writeMove(payment, moved.success, closedByEnding(payment, "voided"), now)
})

/**
 * Returns the commit part that ends an owed invoice unpaid and voids the payment that it waits for;
 * money that arrives later goes back. Fails with `Conflict` where the invoice was paid meanwhile,
 * and with `INVALID_TRANSITION` while it is being charged.
 */
export const endInvoice = Effect.fnUntraced(function* (
  invoice: Invoice,
  ending: Extract<InvoiceEvent, { type: "voided" | "given_up" }>,
  now: Timestamp,
) {
  const moved = step(invoice, ending)
  if (Result.isFailure(moved)) return empty
  const { emit, record } = moved.success
  return merge(writeInvoice("replace", record, emit, yield* Ids, now), yield* voided(invoice, now))
})
