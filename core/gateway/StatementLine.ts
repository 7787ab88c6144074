import type { Money } from "../shared/Money.ts"
import type { Timestamp } from "../shared/Timestamp.ts"

/**
 * A line of a channel's statement (Reconciliation): money that was taken from a payer, or given
 * back. Released holds are not listed. A `failed` payment was taken, could not be settled, and went
 * back without a refund. `number` is our request's number; null where a payer paid without a
 * request.
 */
export interface StatementLine {
  readonly kind: "payment" | "refund"
  readonly out_trade_no: string
  readonly trade_no: string
  readonly number: string | null
  /** Always positive. */
  readonly amount: Money
  readonly status: "pending" | "settled" | "failed"
  /**
   * When the money was taken or given back. It determines the day of the statement. A line that a
   * statement has all the same is compared on the statement's day.
   */
  readonly at: Timestamp
}

/** A page of a statement; `next` is the cursor of the next page, and null on the last one. */
export interface StatementPage {
  readonly lines: ReadonlyArray<StatementLine>
  readonly next: string | null
}
