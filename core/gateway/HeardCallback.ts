import { defineKind } from "../commits/KindDeclaration.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import {
  type ChannelCallback,
  isAboutRefund,
  REFUND_STATUSES,
  type RefundCallback,
  TRADE_STATUSES,
} from "./ChannelCallback.ts"

/** What a channel's message can say of a charge or of a refund. */
export const HEARD_STATUSES = [
  ...TRADE_STATUSES,
  ...REFUND_STATUSES.filter((status) => status !== "SUCCESS"),
] as const

/**
 * What became of a message: it was acted on; it said nothing new; it told of money that came too
 * late or twice and goes back; it contradicts what is known; it was refused, since its channel,
 * amount or trade is not the payment's.
 */
export const HEARD_RESULTS = ["acted_on", "nothing_new", "late", "contradicts", "refused"] as const
export type HeardResult = (typeof HEARD_RESULTS)[number]

/**
 * A genuine message of a channel about a payment, as it was taken. It is stored with whatever it
 * led to; one that comes again is counted here. Nothing of the payer is kept.
 */
export interface HeardCallback {
  /** `cb_` and a UUIDv7. */
  readonly id: string
  readonly version: number
  /** The payee's. */
  readonly account_id: string
  readonly payment_intent: string
  readonly channel: string
  readonly about: "charge" | "refund"
  /** The channel's number of the trade, or the number of our request for a refund. */
  readonly number: string
  readonly status: (typeof HEARD_STATUSES)[number]
  readonly result: HeardResult
  /** How often it came; of several at the same time, at least one is counted. */
  readonly times: number
  readonly created_at: Timestamp
  readonly last_at: Timestamp
}

/** A payment as far as messages about it are concerned. */
export interface HeardOf {
  readonly id: string
  readonly payee_account_id: string
}

type Message = Pick<HeardCallback, "channel" | "about" | "number" | "status">

/** What of a message tells it from others. */
export const messageOf = (callback: ChannelCallback | RefundCallback): Message =>
  isAboutRefund(callback)
    ? {
        channel: callback.channel,
        about: "refund",
        number: callback.out_request_no,
        status: callback.refund_status,
      }
    : {
        channel: callback.channel,
        about: "charge",
        number: callback.trade_no,
        status: callback.trade_status,
      }

/** The record of a message that comes for the first time. */
export const heard = (
  id: string,
  payment: HeardOf,
  message: Message,
  result: HeardResult,
  at: Timestamp,
): HeardCallback => ({
  id,
  version: 1,
  account_id: payment.payee_account_id,
  payment_intent: payment.id,
  ...message,
  result,
  times: 1,
  created_at: at,
  last_at: at,
})

/** Of what was heard of a payment, the newest record of the same message. */
export const sameAs = (
  known: ReadonlyArray<HeardCallback>,
  { about, channel, number, status }: Message,
): HeardCallback | undefined =>
  known.findLast(
    (one) =>
      one.about === about &&
      one.channel === channel &&
      one.number === number &&
      one.status === status,
  )

/** The record of a message that has come once more. */
export const heardAgain = (known: HeardCallback, at: Timestamp): HeardCallback => ({
  ...known,
  times: known.times + 1,
  last_at: Math.max(known.last_at, at),
})

declare module "../commits/Records.ts" {
  interface Records {
    readonly callback: HeardCallback
  }
}

/** How messages of channels are kept. */
export const callbackKind = defineKind("callback", {
  prefix: "cb",
  erased: true,
  lists: [["payment_intent"]],
})
