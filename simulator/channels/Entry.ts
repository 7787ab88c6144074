import type { ChannelAction } from "../../core/gateway/ChannelCall.ts"
import type { Money } from "../../core/shared/Money.ts"
import type { Timestamp } from "../../core/shared/Timestamp.ts"

/** A change of money or of a charge at a channel. Entries are never changed. */
export interface Entry {
  readonly at: Timestamp
  readonly channel: string
  readonly type: "charge" | "hold" | "payment" | "settlement" | "reversal" | ChannelAction
  readonly out_trade_no: string
  readonly charge_id: string
  /** The number of the request for it; null for actions of payers and of the channel itself. */
  readonly number: string | null
  readonly amount: Money
}
