import { Result, Schema } from "effect"
import {
  type ChannelCallback,
  type ChannelMessage,
  isAboutMandate,
  isAboutRefund,
  MANDATE_STATUSES,
  REFUND_STATUSES,
  TRADE_STATUSES,
} from "../../core/gateway/ChannelCallback.ts"
import type { UnreadableCallback } from "../../core/ports/Channels.ts"
import { decode } from "../../core/shared/Decode.ts"
import { Failure } from "../../core/shared/Failure.ts"
import { CurrencyCode } from "../../core/shared/Money.ts"
import { block, line } from "../../core/shared/Text.ts"
import { fromIso, IsoTime, toIso } from "../../core/shared/Timestamp.ts"
import { parseJson } from "../shared/parseJson.ts"

const Decimal = Schema.String.check(
  Schema.isPattern(/^\d{1,16}(\.\d{1,16})?$/, { expected: "a decimal number in major units" }),
)

const EVENTS = ["trade_status", "refund_status", "mandate_status"] as const

/** The common fields of every callback in the native form. */
const envelope = { channel: line(64), event: Schema.Literals(EVENTS) }

const TradeData = Schema.Struct({
  out_trade_no: line(64),
  trade_no: line(128),
  total_amount: Decimal,
  trade_status: Schema.Literals(TRADE_STATUSES),
  currency: Schema.optionalKey(CurrencyCode),
  receipt_amount: Schema.optionalKey(Decimal),
  pay_date: Schema.optionalKey(IsoTime),
  payer_id: Schema.optionalKey(line(128)),
  wallet_id: Schema.optionalKey(line(128)),
})

const RefundData = Schema.Struct({
  out_trade_no: line(64),
  out_request_no: line(64),
  refund_amount: Decimal,
  refund_status: Schema.Literals(REFUND_STATUSES),
  currency: Schema.optionalKey(CurrencyCode),
  failure_reason: Schema.optionalKey(block(512)),
})

const MandateData = Schema.Struct({
  mandate_id: line(64),
  mandate_status: Schema.Literals(MANDATE_STATUSES),
})

const tradeMessage = (channel: string, data: typeof TradeData.Type): ChannelCallback => {
  const { currency, pay_date, payer_id, wallet_id } = data
  const paid_at = pay_date === undefined ? undefined : fromIso(pay_date)
  return {
    channel,
    out_trade_no: data.out_trade_no,
    trade_no: data.trade_no,
    total_amount: data.total_amount,
    trade_status: data.trade_status,
    ...(currency !== undefined && { currency }),
    ...(payer_id !== undefined && { payer_id }),
    ...(wallet_id !== undefined && { wallet_id }),
    ...(paid_at !== undefined && { paid_at }),
  }
}

const decodeTrade = decode(Schema.Struct({ ...envelope, data: TradeData }))
const decodeRefund = decode(Schema.Struct({ ...envelope, data: RefundData }))
const decodeMandate = decode(Schema.Struct({ ...envelope, data: MandateData }))

/** Reads a callback of any event. One without a known event fails as a trade's. */
const decodeNative = (native: object): Result.Result<ChannelMessage, UnreadableCallback> => {
  switch (Reflect.get(native, "event")) {
    case "mandate_status":
      return Result.map(decodeMandate(native), ({ channel, data }) => ({ channel, ...data }))
    case "refund_status":
      return Result.map(decodeRefund(native), ({ channel, data }) => ({ channel, ...data }))
    default:
      return Result.map(decodeTrade(native), ({ channel, data }) => tradeMessage(channel, data))
  }
}

const otherChannel = (expected: string, actual: string) =>
  new Failure({
    code: "CHANNEL_MISMATCH",
    message: `The callback came for ${expected} but names ${actual}. It had no effect.`,
    details: { expected, actual },
  })

const notJson = () =>
  new Failure({
    code: "INVALID_JSON",
    message: "A callback must be a JSON object in UTF-8.",
  })

const BYTE_ORDER_MARK = 0xef

/** Decodes the body of a callback to `channel`'s route, after its signature was verified. */
export const decodeCallback = (
  channel: string,
  body: Uint8Array,
): Result.Result<ChannelMessage, UnreadableCallback> =>
  Result.gen(function* () {
    if (body[0] === BYTE_ORDER_MARK) return yield* Result.fail(notJson())
    const message = yield* decodeNative(yield* Result.mapError(parseJson(body), notJson))
    return message.channel === channel
      ? message
      : yield* Result.fail(otherChannel(channel, message.channel))
  })

const nativeOf = (message: ChannelMessage): object => {
  if (isAboutRefund(message)) {
    const { channel, ...data } = message
    return { channel, event: "refund_status", data }
  }
  if (isAboutMandate(message)) {
    const { channel, ...data } = message
    return { channel, event: "mandate_status", data }
  }
  const { channel, paid_at, ...data } = message
  const paid =
    paid_at === undefined ? {} : { receipt_amount: message.total_amount, pay_date: toIso(paid_at) }
  return { channel, event: "trade_status", data: { ...data, ...paid } }
}

/** Returns the body of a callback with this message, ready to be signed and sent. */
export const encodeCallback = (message: ChannelMessage): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(nativeOf(message)))
