import type { Money } from "../shared/Money.ts"
import type { Timestamp } from "../shared/Timestamp.ts"

/**
 * What a channel is asked to do with money or a charge; a debit charges through a mandate. A
 * capture of less than is held takes that much and releases the rest.
 */
export type ChannelAction = "capture" | "release" | "close" | "refund" | "debit"

/** A call that moves money or closes a charge, under our own request number. */
export interface ChannelCall {
  readonly number: string
  readonly action: ChannelAction
  readonly channel: string
  readonly out_trade_no: string
  readonly charge_id: string
  readonly trade_no: string | null
  readonly amount: Money
  /** The mandate that allows a debit, which makes the charge too; null for every other action. */
  readonly mandate: string | null
}

/**
 * How a call ended. `pending` is a channel that has taken the call on and will carry it out
 * later: it is asked again. `unknown` is a timeout or a broken connection: the effect may have
 * happened. `not_found` is an answer to a question only: the channel does not know the number.
 */
export type ChannelOutcome =
  | { readonly type: "done"; readonly at: Timestamp; readonly trade_no: string }
  | { readonly type: "pending" }
  | { readonly type: "refused"; readonly message: string }
  | { readonly type: "unknown"; readonly message: string }
  | { readonly type: "not_found" }
