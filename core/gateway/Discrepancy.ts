import { defineKind } from "../commits/KindDeclaration.ts"
import type { Timestamp } from "../shared/Timestamp.ts"

/**
 * A contradiction between our records and a channel's message or statement. It moves no payment;
 * the reconciliation report shows it.
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
  /** Empty without a trade. */
  readonly trade_no: string
  /** The value in our records, an amount in major units; empty where there is none. */
  readonly expected: string
  /** The channel's value, likewise; empty where there is none. */
  readonly actual: string
  /** The run that found it in a statement; null for one from a message. */
  readonly run: string | null
  /**
   * When the money moved, within the day of its statement, or the message came: the day of its
   * report.
   */
  readonly created_at: Timestamp
}

/** The discrepancies of an account from a time until before another, or of a run. */
export type DiscrepancyQuery = (
  | { readonly account_id: string; readonly from: Timestamp; readonly to: Timestamp }
  | { readonly run: string }
) & { readonly limit: number }

declare module "../commits/Records.ts" {
  interface Records {
    readonly discrepancy: Discrepancy
  }
}

/** How the store keeps discrepancies. */
export const discrepancyKind = defineKind("discrepancy", {
  prefix: "disc",
  erased: true,
  lists: [["account_id"], ["run"]],
})
