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
import { decode } from "../../core/shared/Decode.ts"
import { Failure } from "../../core/shared/Failure.ts"
import { CurrencyCode } from "../../core/shared/Money.ts"
import { block, line } from "../../core/shared/Text.ts"
import { fromIso, IsoTime, toIso } from "../../core/shared/Timestamp.ts"

const Decimal = Schema.String.check(
  Schema.isPattern(/^\d{1,16}(\.\d{1,16})?$/, { expected: "a decimal number in major units" }),
)

const EVENTS = ["trade_status", "refund_status", "mandate_status"] as const

/** A callback in the native fields of channels that have no codec of their own. */
const NativeCallback = Schema.Struct({
  channel: line(64),
  event: Schema.Literals(EVENTS),
  data: Schema.Struct({
    out_trade_no: line(64),
    trade_no: line(128),
    total_amount: Decimal,
    trade_status: Schema.Literals(TRADE_STATUSES),
    currency: Schema.optionalKey(CurrencyCode),
    receipt_amount: Schema.optionalKey(Decimal),
    pay_date: Schema.optionalKey(IsoTime),
    payer_id: Schema.optionalKey(line(128)),
    wallet_id: Schema.optionalKey(line(128)),
  }),
})

const decodeNative = decode(NativeCallback)

/** A message about a refund in the same style. */
const NativeRefund = Schema.Struct({
  channel: line(64),
  event: Schema.Literals(EVENTS),
  data: Schema.Struct({
    out_trade_no: line(64),
    out_request_no: line(64),
    refund_amount: Decimal,
    refund_status: Schema.Literals(REFUND_STATUSES),
    currency: Schema.optionalKey(CurrencyCode),
    failure_reason: Schema.optionalKey(block(512)),
  }),
})

const decodeRefund = decode(NativeRefund)

/** A message about a mandate in the same style. */
const NativeMandate = Schema.Struct({
  channel: line(64),
  event: Schema.Literals(EVENTS),
  data: Schema.Struct({
    mandate_id: line(64),
    mandate_status: Schema.Literals(MANDATE_STATUSES),
  }),
})

const decodeMandate = decode(NativeMandate)

const MAX_DEPTH = 32

/** Whether the value holds only what can be stored and is no deeper than anyone needs. */
const isSound = (value: unknown, depth = 0): boolean => {
  if (typeof value === "string") return value.isWellFormed() && !value.includes("\0")
  if (typeof value !== "object" || value === null) return true
  return (
    depth < MAX_DEPTH &&
    Object.entries(value).every(
      ([key, inner]) => key !== "__proto__" && isSound(key) && isSound(inner, depth + 1),
    )
  )
}

const parse = (body: Uint8Array): Result.Result<object, Failure> => {
  const parsed = Result.try((): unknown =>
    JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body)),
  )
  const value = Result.isSuccess(parsed) ? parsed.success : undefined
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value)
  return isObject && isSound(value)
    ? Result.succeed(value)
    : Result.fail(
        new Failure({
          code: "INVALID_JSON",
          message: "A callback has to be a JSON object in UTF-8.",
        }),
      )
}

const tradeMessage = (
  channel: string,
  data: (typeof NativeCallback.Type)["data"],
): ChannelCallback => {
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

const otherChannel = (channel: string, said: string): Failure =>
  new Failure({
    code: "CHANNEL_MISMATCH",
    message: `The callback of ${channel} says that it is from ${said}. Nothing was moved.`,
    details: { expected: channel, actual: said },
  })

/**
 * Reads the body of a callback that was sent to `channel`'s route and whose signature is genuine.
 *
 * Fails with `INVALID_JSON`, `MISSING_REQUIRED_FIELD`, `INVALID_REQUEST` and, for a body that
 * speaks for another channel, `CHANNEL_MISMATCH`.
 */
export const decodeCallback = (
  channel: string,
  body: Uint8Array,
): Result.Result<ChannelMessage, Failure> =>
  Result.gen(function* () {
    const native = yield* parse(body)
    const event: unknown = Reflect.get(native, "event")
    if (event === "mandate_status") {
      const { channel: said, data } = yield* decodeMandate(native)
      return said === channel
        ? { channel, ...data }
        : yield* Result.fail(otherChannel(channel, said))
    }
    if (event === "refund_status") {
      const { channel: said, data } = yield* decodeRefund(native)
      return said === channel
        ? { channel, ...data }
        : yield* Result.fail(otherChannel(channel, said))
    }
    const { channel: said, data } = yield* decodeNative(native)
    return said === channel
      ? tradeMessage(channel, data)
      : yield* Result.fail(otherChannel(channel, said))
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

/** The body that says the same as the message, ready to be signed and sent. */
export const encodeCallback = (message: ChannelMessage): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(nativeOf(message)))
