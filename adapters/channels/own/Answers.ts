import { Result, Schema } from "effect"
import {
  type ChannelMessage,
  MANDATE_STATUSES,
  REFUND_STATUSES,
  TRADE_STATUSES,
} from "../../../core/gateway/ChannelCallback.ts"
import type { CurrencyTable } from "../../../core/shared/Currency.ts"
import { decode, type InputSchema } from "../../../core/shared/Decode.ts"
import { type Failure, invalidField } from "../../../core/shared/Failure.ts"
import { type Money, PayableAmount, toMajor } from "../../../core/shared/Money.ts"
import { block, line } from "../../../core/shared/Text.ts"
import { fromIso, IsoTime } from "../../../core/shared/Timestamp.ts"
import * as Wire from "../http/Wire.ts"

/** The longest answer as JSON, in characters. */
const LONGEST = 1_048_576

const wellFormed = (_key: string, value: unknown): unknown => {
  if (typeof value === "string" && !value.isWellFormed()) throw new Error("half a character")
  return value
}

/**
 * Returns a copy of an answer as plain JSON, in which a `Date` is its ISO text. The host's own
 * objects are read only once. No answer is an empty object.
 */
const plain = (answer: unknown): unknown => {
  const text = JSON.stringify(answer ?? {})
  if (!text?.startsWith("{") || text.length > LONGEST) throw new Error("no object, or a large one")
  return JSON.parse(text, wellFormed)
}

/** Returns the decoder of a function's answers. It fails with the answer's flaw. */
const answers =
  <S extends InputSchema>(schema: S) =>
  (answer: unknown): Result.Result<S["Type"], Failure> =>
    Result.flatMap(
      Result.mapError(
        Result.try(() => plain(answer)),
        () => invalidField("answer", "must be an object that can be written as JSON"),
      ),
      decode(schema),
    )

const { number: _number, ...requestFields } = Wire.RequestAnswer.fields
const { out_trade_no: _paid, trade_no: tradeNo, ...tradeFields } = Wire.TradeBody.fields
const { mandate_id: _mandate, ...mandateFields } = Wire.MandateBody.fields

const readStatus = answers(Schema.Struct({ status: Schema.String }))

/** Reads an answer that may be `not_found`. */
export const orNotFound =
  <A>(read: (answer: unknown) => Result.Result<A, Failure>) =>
  (answer: unknown): Result.Result<A | { readonly type: "not_found" }, Failure> =>
    Result.gen(function* () {
      const { status } = yield* readStatus(answer)
      return status === "not_found" ? { type: status } : yield* read(answer)
    })

/** Reads the answer to a charge. */
export const readCharge = answers(Wire.ChargeAnswer)
/** Reads the answer to a numbered request. */
export const readRequest = answers(Schema.Struct(requestFields))
/** Reads the outcome of a charge. */
export const readTrade = answers(
  Schema.Struct({ ...tradeFields, trade_no: Schema.optionalKey(tradeNo) }),
)
/** Reads the state of a mandate. */
export const readMandate = answers(Schema.Struct(mandateFields))
/** Reads a page of a statement. */
export const readStatement = answers(Wire.StatementBody)

const trade = Schema.Struct({
  event: Schema.Literal("trade_status"),
  out_trade_no: line(64),
  trade_no: line(128),
  amount: PayableAmount,
  trade_status: Schema.Literals(TRADE_STATUSES),
  payer_id: Schema.optionalKey(line(128)),
  wallet_id: Schema.optionalKey(line(128)),
  paid_at: Schema.optionalKey(IsoTime),
})

const refund = Schema.Struct({
  event: Schema.Literal("refund_status"),
  out_trade_no: line(64),
  out_request_no: line(64),
  amount: PayableAmount,
  refund_status: Schema.Literals(REFUND_STATUSES),
  failure_reason: Schema.optionalKey(block(512)),
})

const mandate = Schema.Struct({
  event: Schema.Literal("mandate_status"),
  mandate_id: line(64),
  mandate_status: Schema.Literals(MANDATE_STATUSES),
})

const EVENTS = ["trade_status", "refund_status", "mandate_status"] as const
const readEvent = answers(Schema.Struct({ event: Schema.Literals(EVENTS) }))
const readTradeMessage = answers(trade)
const readRefundMessage = answers(refund)
const readMandateMessage = answers(mandate)

/** Returns the amount in major units, which messages use. Fails for an unknown currency. */
const major = (amount: Money, currencies: CurrencyTable): Result.Result<string, Failure> => {
  const currency = currencies.get(amount.currency)
  return currency === undefined
    ? Result.fail(invalidField("amount.currency", "must be an ISO 4217 code"))
    : Result.succeed(toMajor(amount, currency))
}

/** Reads the message that a codec has returned for a channel's callback. */
export const readMessage = (
  channel: string,
  answer: unknown,
  currencies: CurrencyTable,
): Result.Result<ChannelMessage, Failure> =>
  Result.gen(function* () {
    switch ((yield* readEvent(answer)).event) {
      case "mandate_status": {
        const { event: _event, ...data } = yield* readMandateMessage(answer)
        return { channel, ...data }
      }
      case "refund_status": {
        const { amount, event: _event, ...data } = yield* readRefundMessage(answer)
        const refund_amount = yield* major(amount, currencies)
        return { channel, ...data, refund_amount, currency: amount.currency }
      }
      default: {
        const { amount, event: _event, paid_at, ...data } = yield* readTradeMessage(answer)
        const total_amount = yield* major(amount, currencies)
        const at = paid_at === undefined ? undefined : fromIso(paid_at)
        const message = { channel, ...data, total_amount, currency: amount.currency }
        return at === undefined ? message : { ...message, paid_at: at }
      }
    }
  })
