import type { Money } from "../shared/Money.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { TradeStatus } from "./ChannelCallback.ts"
import type { ChannelOutcome } from "./ChannelCall.ts"

/** A charge that a payer can pay through a channel. */
export interface Charge {
  readonly channel: string
  /** The intent's id, by which the channel knows the payment. */
  readonly out_trade_no: string
  readonly charge_id: string
  readonly amount: Money
  readonly description: string
  readonly expires_at: Timestamp
  /** The account that asks for it, which may use its own share of the channel's rate limit only. */
  readonly asked_by?: string
}

/** The payer, as the channel knows them. */
export interface ChannelPayer {
  readonly payer_id: string
  readonly wallet_id: string
}

/** Why a charge was closed without payment, in the words of a callback. */
export type ClosedBy = Extract<
  TradeStatus,
  "REJECTED" | "INSUFFICIENT_BALANCE" | "CLOSED" | "SETTLEMENT_FAILED"
>

/**
 * A charge as its channel knows it. `unpaid`: a payer may still act; `held`: authorized, to be
 * captured or released; `paid`: the money was taken and is not settled; `settled`; `closed`: ended
 * with nothing held or taken, because of `reason`. `amount` is what is to be paid; after a partial
 * capture it is the captured amount, in every state. `refunded` is how much of the taken money has
 * gone back, in minor units of `amount`.
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
 * A channel's answer about a charge. `not_found` may be temporary, since channels answer from
 * replicas. `unknown` means that the channel did not answer.
 */
export type TradeAnswer =
  | { readonly type: "known"; readonly trade: Trade }
  | { readonly type: "not_found" }
  | { readonly type: "unknown"; readonly message: string }

/**
 * Returns a charge that was paid, with the outcome of the debit that paid it; undefined if the
 * channel does not say so. `at` is now.
 */
export const paidAlready = (answer: TradeAnswer, at: Timestamp) => {
  if (answer.type !== "known") return undefined
  const { trade } = answer
  if (trade.status !== "paid" && trade.status !== "settled") return undefined
  const { trade_no } = trade
  return { trade, outcome: { type: "done", at, trade_no } as const satisfies ChannelOutcome }
}

/** The charge that a channel is asked about. */
export type ChargeReference = Pick<Charge, "channel" | "out_trade_no" | "charge_id">
