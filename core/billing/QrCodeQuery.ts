import type { Timestamp } from "../shared/Timestamp.ts"

/** The QR codes of payments that an account created from a time until before another. */
export interface QrCodeQuery {
  readonly account_id: string
  readonly from: Timestamp
  readonly to: Timestamp
  /** The counter of the codes of removed payments, less those that are not billed. */
  readonly counter: string
  /** The time of the query; no creation is later. */
  readonly now: Timestamp
}
