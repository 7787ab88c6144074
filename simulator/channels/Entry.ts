import type { ChannelAction } from "../../core/gateway/ChannelCall.ts"
import type { Money } from "../../core/shared/Money.ts"
import type { Timestamp } from "../../core/shared/Timestamp.ts"

/** Something that happened to money or to a charge at a channel. Entries are never changed. */
export interface Entry {
  readonly at: Timestamp
  readonly channel: string
  readonly type: "charge" | "hold" | "payment" | "settlement" | "reversal" | ChannelAction
  readonly out_trade_no: string
  readonly charge_id: string
  /** The request number that asked for it; null for what payers and the channel itself do. */
  readonly number: string | null
  readonly amount: Money
}
