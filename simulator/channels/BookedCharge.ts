import type { ChannelPayer } from "../../core/ports/Channels.ts"
import type { Money } from "../../core/shared/Money.ts"
import type { Timestamp } from "../../core/shared/Timestamp.ts"

/**
 * A charge in the channel's own books; `held`, `taken` and `promised` are minor units of its
 * currency: what is reserved, what is here, and what of that goes back before long.
 */
export interface BookedCharge {
  readonly channel: string
  readonly kind: "qr" | "link"
  readonly out_trade_no: string
  readonly charge_id: string
  readonly amount: Money
  readonly expires_at: Timestamp
  readonly trade_no: string
  payer: ChannelPayer | null
  state: "open" | "ended" | "held" | "taken" | "settled" | "given_back"
  held: number
  taken: number
  promised: number
}
