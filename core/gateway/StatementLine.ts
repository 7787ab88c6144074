import type { Money } from "../shared/Money.ts"
import type { Timestamp } from "../shared/Timestamp.ts"

/**
 * A line of a channel's own statement (Reconciliation): money that was taken from a payer, or given
 * back. Holds that were released are none. A payment's `failed` is money that was taken and could
 * not be settled, and went back without a refund; `number` is our request's, null for what a payer
 * paid without one.
 */
export interface StatementLine {
  readonly kind: "payment" | "refund"
  readonly out_trade_no: string
  readonly trade_no: string
  readonly number: string | null
  /** Always positive. */
  readonly amount: Money
  readonly status: "pending" | "settled" | "failed"
  /** When the money was taken or given back, which tells the day of the statement. */
  readonly at: Timestamp
}

/** A part of a statement; `next` asks for the part behind it and is null at the end. */
export interface StatementPage {
  readonly lines: ReadonlyArray<StatementLine>
  readonly next: string | null
}
