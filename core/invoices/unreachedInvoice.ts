import { Effect, Result } from "effect"
import { empty } from "../commits/Commit.ts"
import { Ids } from "../ports/Ids.ts"
import { Store } from "../ports/Store.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { step } from "./Invoice.ts"
import { writeInvoice } from "./writeInvoice.ts"

/**
 * Returns the commit part by which an invoice is collected again, since its charge was declined
 * and has no link that would ask the person. It is empty for payments without an invoice, and once
 * the invoice is overdue or has another payment.
 */
export const unreachedInvoice = Effect.fnUntraced(function* (
  payment: { readonly id: string; readonly invoice: string | null },
  at: Timestamp,
) {
  if (payment.invoice === null) return empty
  const invoice = yield* (yield* Store).find("invoice", payment.invoice)
  if (invoice?.payment_intent !== payment.id || invoice.collection !== "asked") return empty
  const moved = step(invoice, { type: "unreached" })
  if (Result.isFailure(moved)) return empty
  return writeInvoice("replace", moved.success.record, [], yield* Ids, at)
})
