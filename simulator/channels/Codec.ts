// Written independently of adapters/channels/codec.ts on purpose: a channel and the service that
// reads its callbacks share no code, so that each reveals a mistake in the other.

import { createHmac } from "node:crypto"
import { Result, Schema } from "effect"
import type { UnreadableCallback } from "../../core/ports/Channels.ts"
import {
  type ChannelCallback,
  type ChannelMessage,
  MANDATE_STATUSES,
  REFUND_STATUSES,
  TRADE_STATUSES,
} from "../../core/gateway/ChannelCallback.ts"
import { decode } from "../../core/shared/Decode.ts"
import { Failure } from "../../core/shared/Failure.ts"
import { fromIso } from "../../core/shared/Timestamp.ts"

/** A message as it is sent. */
export interface Envelope {
  readonly channel: string
  readonly body: Uint8Array
  readonly signature: string | undefined
}

const Body = Schema.Struct({
  channel: Schema.String,
  event: Schema.Literal("trade_status"),
  data: Schema.Struct({
    out_trade_no: Schema.String,
    trade_no: Schema.String,
    total_amount: Schema.String,
    trade_status: Schema.Literals(TRADE_STATUSES),
    currency: Schema.optionalKey(Schema.String),
    payer_id: Schema.optionalKey(Schema.String),
    wallet_id: Schema.optionalKey(Schema.String),
    receipt_amount: Schema.optionalKey(Schema.String),
    pay_date: Schema.optionalKey(Schema.String),
  }),
})

const RefundBody = Schema.Struct({
  channel: Schema.String,
  event: Schema.Literal("refund_status"),
  data: Schema.Struct({
    out_trade_no: Schema.String,
    out_request_no: Schema.String,
    refund_amount: Schema.String,
    refund_status: Schema.Literals(REFUND_STATUSES),
    currency: Schema.optionalKey(Schema.String),
    failure_reason: Schema.optionalKey(Schema.String),
  }),
})

const MandateBody = Schema.Struct({
  channel: Schema.String,
  event: Schema.Literal("mandate_status"),
  data: Schema.Struct({
    mandate_id: Schema.String,
    mandate_status: Schema.Literals(MANDATE_STATUSES),
  }),
})

/** The `data` of a callback, in the channels' own words (Channel callback). */
export type CallbackData = typeof Body.Type.data

/** The `data` of a message about a refund. */
export type RefundData = typeof RefundBody.Type.data

/** The `data` of a message about a mandate. */
export type MandateData = typeof MandateBody.Type.data

/** The `data` of a message about a payment or a refund. */
export type MessageData = CallbackData | RefundData

const decodeBody = decode(Body)
const decodeRefund = decode(RefundBody)
const decodeMandate = decode(MandateBody)

const eventOf = (body: unknown): unknown =>
  typeof body === "object" && body !== null ? Reflect.get(body, "event") : undefined

/** Returns the lower-case hex HMAC-SHA256 of the body with the channel's secret. */
export const sign = (secret: string, body: Uint8Array): string =>
  createHmac("sha256", secret).update(body).digest("hex")

/** Encodes the body of a message; `channel` is the sender that it names. */
export const encode = (channel: string, data: MessageData | MandateData): Uint8Array => {
  const event =
    "mandate_status" in data
      ? "mandate_status"
      : "refund_status" in data
        ? "refund_status"
        : "trade_status"
  return new TextEncoder().encode(JSON.stringify({ channel, event, data }))
}

/** Makes a genuine message. */
export const seal = (
  channel: string,
  secret: string,
  data: MessageData | MandateData,
): Envelope => {
  const body = encode(channel, data)
  return { channel, body, signature: sign(secret, body) }
}

const forged = () =>
  new Failure({
    code: "webhook_signature_invalid",
    message: "The signature is not the one that this channel's secret gives for this body.",
  })

const broken = () =>
  new Failure({ code: "INVALID_JSON", message: "The callback's body is no JSON." })

const parse = (body: Uint8Array): Result.Result<unknown, Failure<"INVALID_JSON">> =>
  Result.try({ try: () => JSON.parse(new TextDecoder().decode(body)) as unknown, catch: broken })

const callbackOf = (channel: string, data: typeof Body.Type.data): ChannelCallback => {
  const paid_at = data.pay_date === undefined ? undefined : fromIso(data.pay_date)
  return {
    channel,
    out_trade_no: data.out_trade_no,
    trade_no: data.trade_no,
    total_amount: data.total_amount,
    trade_status: data.trade_status,
    ...(data.currency !== undefined && { currency: data.currency }),
    ...(data.payer_id !== undefined && { payer_id: data.payer_id }),
    ...(data.wallet_id !== undefined && { wallet_id: data.wallet_id }),
    ...(paid_at !== undefined && { paid_at }),
  }
}

/** Verifies a message that arrived on a channel's route, and decodes it. */
export const open = (
  { channel, body, signature }: Envelope,
  secret: string | undefined,
): Result.Result<ChannelMessage, Failure<"webhook_signature_invalid"> | UnreadableCallback> => {
  if (secret === undefined || signature !== sign(secret, body)) return Result.fail(forged())
  return Result.flatMap(
    parse(body),
    (parsed): Result.Result<ChannelMessage, UnreadableCallback> => {
      switch (eventOf(parsed)) {
        case "refund_status":
          return Result.map(decodeRefund(parsed), ({ data }) => ({ channel, ...data }))
        case "mandate_status":
          return Result.map(decodeMandate(parsed), ({ data }) => ({ channel, ...data }))
        default:
          return Result.map(decodeBody(parsed), ({ data }) => callbackOf(channel, data))
      }
    },
  )
}
