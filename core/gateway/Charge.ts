import type { Money } from "../shared/Money.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { TradeStatus } from "./ChannelCallback.ts"

/** What is to be paid through a channel. */
export interface Charge {
  readonly channel: string
  /** The intent's id, which the channel knows the payment by. */
  readonly out_trade_no: string
  readonly charge_id: string
  readonly amount: Money
  readonly description: string
  readonly expires_at: Timestamp
  /** The account that asks for it, which may take its share of the channel's rate and no more. */
  readonly asked_by?: string
}

/** Who paid, as a channel knows them. */
export interface ChannelPayer {
  readonly payer_id: string
  readonly wallet_id: string
}

/** Why a charge at a channel is over without money, in the words of a callback. */
export type ClosedBy = Extract<
  TradeStatus,
  "REJECTED" | "INSUFFICIENT_BALANCE" | "CLOSED" | "SETTLEMENT_FAILED"
>

/**
 * What a channel knows of a charge. `unpaid`: a payer may still act; `held`: authorized, to be
 * captured or released; `paid`: the money was taken and is not settled; `settled`; `closed`: over,
 * with nothing held and nothing taken, because of `reason`. `amount` is what is to be paid; once
 * less was captured, it is that, in whatever state the trade is then. `refunded` is what has gone
 * back of what was taken, in minor units of `amount`.
 */
export type Trade = {
  readonly out_trade_no: string
  readonly amount: Money
  readonly refunded: number
} & (
  | { readonly status: "unpaid"; readonly trade_no: string | null }
  | {
      readonly status: "held" | "paid" | "settled"
      readonly trade_no: string
      readonly payer?: ChannelPayer
    }
  | { readonly status: "closed"; readonly trade_no: string | null; readonly reason: ClosedBy }
)

/**
 * The answer to the question what became of a charge. `not_found` may be true for a moment only:
 * channels answer from copies of their books. `unknown` is a channel that did not answer.
 */
export type TradeAnswer =
  | { readonly type: "known"; readonly trade: Trade }
  | { readonly type: "not_found" }
  | { readonly type: "unknown"; readonly message: string }

/** A charge that a channel is asked about. */
export type ChargeReference = Pick<Charge, "channel" | "out_trade_no" | "charge_id">
