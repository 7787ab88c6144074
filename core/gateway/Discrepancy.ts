import { defineKind } from "../commits/KindDeclaration.ts"
import type { Timestamp } from "../shared/Timestamp.ts"

/**
 * Something a channel told us, in a message or in its statement, that our records do not bear out.
 * It moves no payment; it is shown in the reconciliation report.
 */
export interface Discrepancy {
  /** `disc_` and a UUIDv7. */
  readonly id: string
  readonly version: number
  readonly account_id: string
  readonly kind:
    | "late_payment"
    | "amount_mismatch"
    | "channel_mismatch"
    | "status_mismatch"
    | "missing_at_channel"
    | "missing_at_service"
  readonly payment_intent: string
  readonly channel: string
  /** Empty where there is none. */
  readonly trade_no: string
  /** What our records say; empty where they say nothing. */
  readonly expected: string
  /** What the channel says; empty where it says nothing. */
  readonly actual: string
  /** The run that found it in a statement; null for what a message told. */
  readonly run: string | null
  /** When the money moved or the message came: the day that it is reported for. */
  readonly created_at: Timestamp
}

/** What was found out about an account from a time until before another, or by a run. */
export type DiscrepancyQuery = (
  | { readonly account_id: string; readonly from: Timestamp; readonly to: Timestamp }
  | { readonly run: string }
) & { readonly limit: number }

declare module "../commits/Records.ts" {
  interface Records {
    readonly discrepancy: Discrepancy
  }
}

/** How discrepancies are kept. */
export const discrepancyKind = defineKind("discrepancy", {
  prefix: "disc",
  erased: true,
  lists: [["account_id"], ["run"]],
})
