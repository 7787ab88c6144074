import type { Money } from "../shared/Money.ts"
import type { Timestamp } from "../shared/Timestamp.ts"

/**
 * The actions of channels; a debit charges through a mandate. A capture of less than the held
 * amount takes that much and releases the rest.
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
  /** The mandate that allows a debit; the debit also creates the charge. Null for other actions. */
  readonly mandate: string | null
}

/**
 * The outcome of a call. `pending`: the channel has accepted the call and will carry it out later;
 * it is asked again. `unknown`: a timeout or a broken connection, so that the effect may have
 * happened. `not_found` is the answer to an inquiry only: the channel does not know the number.
 */
export type ChannelOutcome =
  | { readonly type: "done"; readonly at: Timestamp; readonly trade_no: string }
  | { readonly type: "pending" }
  | { readonly type: "refused"; readonly message: string }
  | { readonly type: "unknown"; readonly message: string }
  | { readonly type: "not_found" }
