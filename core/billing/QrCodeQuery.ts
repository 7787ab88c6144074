import type { Timestamp } from "../shared/Timestamp.ts"

/** Codes of payments that an account created from a time until before another. */
export interface QrCodeQuery {
  readonly account_id: string
  readonly from: Timestamp
  readonly to: Timestamp
  /** The time of the question, which is no earlier than any creation. */
  readonly now: Timestamp
}
