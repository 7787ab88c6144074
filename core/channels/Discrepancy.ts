import type { Timestamp } from "../shared/Timestamp.ts"

/**
 * Something a channel told us that our records do not bear out. It moves no payment; it waits for
 * the reconciliation report.
 */
export interface Discrepancy {
  /** `disc_` and a UUIDv7. */
  readonly id: string
  readonly version: number
  readonly account_id: string
  readonly kind: "late_payment" | "amount_mismatch" | "channel_mismatch" | "status_mismatch"
  readonly payment_intent: string
  readonly channel: string
  readonly trade_no: string
  readonly expected: string
  readonly actual: string
  readonly created_at: Timestamp
}
