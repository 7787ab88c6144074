import { defineKind } from "../commits/KindDeclaration.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import {
  type ChannelCallback,
  isAboutRefund,
  REFUND_STATUSES,
  type RefundCallback,
  TRADE_STATUSES,
} from "./ChannelCallback.ts"

/** The statuses of charges and refunds in channels' messages. */
export const HEARD_STATUSES = [
  ...TRADE_STATUSES,
  ...REFUND_STATUSES.filter((status) => status !== "SUCCESS"),
] as const

/**
 * The result of a message. `acted_on`; `nothing_new`; `late`: money came too late or twice and goes
 * back; `contradicts`: it contradicts our records; `refused`: its channel, amount or trade is not
 * the payment's.
 */
export const HEARD_RESULTS = ["acted_on", "nothing_new", "late", "contradicts", "refused"] as const
export type HeardResult = (typeof HEARD_RESULTS)[number]

/**
 * A genuine message of a channel about a payment, with its result. It is stored in the same commit
 * as its effects. Repeated messages are counted. It contains no data about the payer.
 */
export interface HeardCallback {
  /** `cb_` and a UUIDv7. */
  readonly id: string
  readonly version: number
  /** The payee's account. */
  readonly account_id: string
  readonly payment_intent: string
  readonly channel: string
  readonly about: "charge" | "refund"
  /** The channel's number of the trade, or the number of our refund request. */
  readonly number: string
  readonly status: (typeof HEARD_STATUSES)[number]
  readonly result: HeardResult
  /** How often it came; of concurrent messages at least one is counted. */
  readonly times: number
  readonly created_at: Timestamp
  readonly last_at: Timestamp
}

/** The fields of a payment that messages need. */
export interface HeardOf {
  readonly id: string
  readonly payee_account_id: string
}

type Message = Pick<HeardCallback, "channel" | "about" | "number" | "status">

/** Returns the fields that distinguish messages. */
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

/** Makes the record of a message that comes for the first time. */
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

/** Returns the newest record of the same message. */
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

/** Counts a repeated message in its record. */
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

/** How the store keeps channels' messages. */
export const callbackKind = defineKind("callback", {
  prefix: "cb",
  erased: true,
  lists: [["payment_intent"]],
})
