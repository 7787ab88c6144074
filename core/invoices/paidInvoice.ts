import { Effect, Result } from "effect"
import { type CommitPart, empty, merge } from "../commits/Commit.ts"
import { Ids } from "../ports/Ids.ts"
import { Store } from "../ports/Store.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { writeInvoice } from "./writeInvoice.ts"
import { step } from "./Invoice.ts"
import { settledSubscription } from "./settledSubscription.ts"

/** The fields of a payment that its invoice needs. */
interface InvoicePayment {
  readonly invoice: string | null
  readonly status: string
}

/**
 * Returns the commit part by which a completed payment pays its invoice. For payments without an
 * invoice it is empty, and nothing is read from the store.
 */
export const paidInvoice = Effect.fnUntraced(function* (
  before: InvoicePayment | undefined,
  after: InvoicePayment,
  at: Timestamp,
) {
  if (after.invoice === null || after.status !== "completed") return empty
  if (before?.status === "completed") return empty
  const invoice = yield* (yield* Store).find("invoice", after.invoice)
  const moved = invoice && step(invoice, { type: "paid", at })
  if (moved === undefined || Result.isFailure(moved)) return empty
  const { emit, record } = moved.success
  const paid: CommitPart = writeInvoice("replace", record, emit, yield* Ids, at)
  return merge(paid, yield* settledSubscription(record, at))
})
