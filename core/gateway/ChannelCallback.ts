import type { Timestamp } from "../shared/Timestamp.ts"

/** The statuses of a charge in channels' messages. */
export const TRADE_STATUSES = [
  "SCANNED",
  "AUTHORIZED",
  "SUCCESS",
  "REJECTED",
  "INSUFFICIENT_BALANCE",
  "CLOSED",
  "SETTLEMENT_FAILED",
] as const

/** One of {@link TRADE_STATUSES}. */
export type TradeStatus = (typeof TRADE_STATUSES)[number]

/** The headers of a callback as they arrived, by name. */
export type CallbackHeaders = {
  readonly [name: string]: string | ReadonlyArray<string> | undefined
}

/** A channel's message about a charge, whatever its native form (Channel callback). */
export interface ChannelCallback {
  readonly channel: string
  /** The payment intent's id. */
  readonly out_trade_no: string
  /** The channel's number of the trade. */
  readonly trade_no: string
  /** A decimal string in major units. */
  readonly total_amount: string
  readonly trade_status: TradeStatus
  readonly currency?: string
  readonly payer_id?: string
  readonly wallet_id?: string
  readonly paid_at?: Timestamp
}

/** The statuses of a refund in channels' messages. */
export const REFUND_STATUSES = ["SUCCESS", "FAILED"] as const

/** A channel's message about a refund that we requested (Refunds and revocations). */
export interface RefundCallback {
  readonly channel: string
  /** The payment intent's id. */
  readonly out_trade_no: string
  /** The number of our request. */
  readonly out_request_no: string
  /** A decimal string in major units. */
  readonly refund_amount: string
  readonly refund_status: (typeof REFUND_STATUSES)[number]
  readonly currency?: string
  /** Why the refund failed. */
  readonly failure_reason?: string
}

/** The statuses of a mandate: the person approved, declined or ended it. */
export const MANDATE_STATUSES = ["ACTIVE", "REJECTED", "REVOKED"] as const

/** A channel's message about a mandate (Installs). */
export interface MandateCallback {
  readonly channel: string
  readonly mandate_id: string
  readonly mandate_status: (typeof MANDATE_STATUSES)[number]
}

/** Any message of a channel. */
export type ChannelMessage = ChannelCallback | RefundCallback | MandateCallback

/** Tells whether a message is about a refund. */
export const isAboutRefund = (message: ChannelMessage): message is RefundCallback =>
  "refund_status" in message

/** Tells whether a message is about a mandate. */
export const isAboutMandate = (message: ChannelMessage): message is MandateCallback =>
  "mandate_status" in message
