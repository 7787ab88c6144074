import type { Channel } from "../channels/Channel.ts"
import { Result, Schema } from "effect"
import type { Currency, CurrencyTable } from "../shared/Currency.ts"
import { Failure } from "../shared/Failure.ts"
import { MAX_VALUE, type Money, proportion, toMajor } from "../shared/Money.ts"
import { convert, cross, leastConverted, ONE, type Rate } from "../shared/Rate.ts"
import { Amount } from "../shared/Wire.ts"

/** The payment method: one price, metered use, or a plan. */
export type PaymentMethod = "one_time" | "cumulative" | "subscription"

/** The kinds of payment with fees of their own (Transaction fees). */
export type FeeKind = PaymentMethod | "stablecoin" | "cross_border"

/** The fees of a kind, in whole parts per ten thousand. */
export interface FeeRow {
  /** The service's own fee. */
  readonly service: number
  /** The spread of a conversion: both currencies are widely traded, one is, or neither. */
  readonly spread: { readonly low: number; readonly middle: number; readonly high: number }
}

/** The fees of every kind. */
export type FeeTable = { readonly [K in FeeKind]: FeeRow }

/**
 * The service's default fees (Transaction fees). Refunds and voids are free. A payment that needs a
 * conversion is always `cross_border` or `stablecoin`, so the spreads of the other rows are never
 * used.
 */
export const FEES: FeeTable = {
  one_time: { service: 50, spread: { low: 30, middle: 55, high: 80 } },
  cumulative: { service: 30, spread: { low: 20, middle: 35, high: 50 } },
  subscription: { service: 50, spread: { low: 30, middle: 55, high: 80 } },
  stablecoin: { service: 30, spread: { low: 10, middle: 20, high: 30 } },
  cross_border: { service: 50, spread: { low: 30, middle: 75, high: 120 } },
}

/**
 * Returns the kind of a payment. A stablecoin channel decides first, then different currencies of
 * payer and payee, then the payment method. `channel` is undefined while the payer has not chosen
 * one.
 */
export const feeKind = (
  method: PaymentMethod,
  from: string,
  to: string,
  channel: Pick<Channel, "kind"> | undefined,
): FeeKind =>
  channel?.kind === "stablecoin" ? "stablecoin" : from === to ? method : "cross_border"

const MAJOR = new Set(["USD", "EUR", "GBP", "JPY", "CNY"])

/** Currencies with a legally fixed rate to the dollar. */
const FIXED_TO_USD = new Set(["AED", "BHD", "BMD", "BSD", "JOD", "OMR", "PAB", "QAR", "SAR"])

const anchorOf = (currency: string): string => (FIXED_TO_USD.has(currency) ? "USD" : currency)

/**
 * Tells whether a payment needs an exchange between two currencies. A stablecoin needs none between
 * currencies at a fixed rate to its own peg (FX routing rules).
 */
const needsExchange = (
  from: string,
  to: string,
  channel: Pick<Channel, "pegged_to"> | undefined,
): boolean => {
  if (from === to) return false
  const peg = channel?.pegged_to
  return peg === undefined || anchorOf(from) !== peg || anchorOf(to) !== peg
}

/**
 * Returns the FX spread between two currencies in parts per ten thousand: the low end of the kind's
 * range where both are widely traded, the middle where one is, the high end otherwise, and zero
 * without an exchange (Transaction fees).
 */
export const spreadBasisPoints = (
  fees: FeeTable,
  from: string,
  to: string,
  kind: FeeKind,
  channel?: Pick<Channel, "pegged_to">,
): number => {
  if (!needsExchange(from, to, channel)) return 0
  const { low, middle, high } = fees[kind].spread
  const majors = Number(MAJOR.has(from)) + Number(MAJOR.has(to))
  return majors === 2 ? low : majors === 1 ? middle : high
}

/** What the payee receives, in minor units of its own currency, and the rate (PaymentIntent). */
export type Settlement = Money & { readonly rate: Rate }

/** A settlement, and how many minor units it is below the amount at the mid-market rate. */
export interface Settled {
  readonly settlement: Settlement
  readonly fx_spread: number
}

/** The fields of a channel that determine a payment's price. */
export type PricedChannel = Pick<Channel, "kind" | "pegged_to">

/** The inputs of a settlement. */
export interface SettlementRequest {
  readonly amount: Money
  readonly settlement_currency: string
  readonly method: PaymentMethod
  /** The channel of the payment; undefined while the payer has not chosen one. */
  readonly channel: PricedChannel | undefined
  /** The price of one US dollar in the payer's currency, and in the payee's. */
  readonly usdToPayer: Rate
  readonly usdToSettlement: Rate
  readonly currencies: CurrencyTable
  /** The fees in force. */
  readonly fees: FeeTable
}

const invalid = (currency: string, constraint: string) =>
  new Failure({
    code: "INVALID_AMOUNT",
    message: `The amount cannot be settled: ${currency} ${constraint}.`,
    field: "amount.currency",
    details: { field: "amount.currency", value: currency, constraint },
  })

/** Payouts have the same limit as payments, since both are added up. */
const tooMuch = ({ value }: Money, to: string) => {
  const constraint = `must be worth at most ${MAX_VALUE} minor units of ${to}`
  return new Failure({
    code: "INVALID_AMOUNT",
    message: `The amount cannot be settled: it ${constraint}.`,
    field: "amount.value",
    details: { field: "amount.value", value, constraint },
  })
}

/** Refuses a payment that settles to nothing. */
const tooLittle = ({ value }: Money, from: Currency, to: Currency, rate: Rate) => {
  const minimum = { currency: from.code, value: leastConverted(rate, from, to) }
  const constraint = `must be worth at least one minor unit of ${to.code}`
  return new Failure({
    code: "INVALID_AMOUNT",
    message:
      `The amount cannot be settled: it ${constraint}. ` +
      `Pay at least ${toMajor(minimum, from)} ${from.code}.`,
    field: "amount.value",
    details: { field: "amount.value", value, constraint, minimum },
  })
}

const unusable = (from: string, to: string) =>
  new Failure({
    code: "TEMPORARILY_UNAVAILABLE",
    message: `There is no usable exchange rate from ${from} to ${to} at the moment. Retry later.`,
    retry_after: 60,
  })

/**
 * Settles an amount at `mid × (1 − spread)` with twelve significant digits, rounded down to minor
 * units, so that the parts of a split amount never settle to more than the whole. Without a
 * conversion the amount settles unchanged, at rate 1.
 *
 * Fails with `INVALID_AMOUNT` for an unknown currency, for a result above the limit of payments,
 * and for a result of nothing, with the minimum as `details.minimum`. Fails with
 * `TEMPORARILY_UNAVAILABLE` for a rate that is zero or negative.
 */
export const settle = (
  request: SettlementRequest,
): Result.Result<Settled, Failure<"INVALID_AMOUNT" | "TEMPORARILY_UNAVAILABLE">> => {
  const { amount, settlement_currency, method, channel, currencies, fees } = request
  const from = currencies.get(amount.currency)
  const to = currencies.get(settlement_currency)
  if (from === undefined || to === undefined) {
    const code = from === undefined ? amount.currency : settlement_currency
    return Result.fail(invalid(code, "must be an ISO 4217 code"))
  }
  if (from.code === to.code) {
    return Result.succeed({ settlement: { ...amount, rate: ONE }, fx_spread: 0 })
  }
  const kind = feeKind(method, from.code, to.code, channel)
  const spread = spreadBasisPoints(fees, from.code, to.code, kind, channel)
  const mid = cross(request.usdToPayer, request.usdToSettlement)
  const rate = cross(request.usdToPayer, request.usdToSettlement, spread)
  if (mid === undefined || rate === undefined) return Result.fail(unusable(from.code, to.code))
  const gross = convert(amount.value, mid, from, to, "half-even")
  const value = convert(amount.value, rate, from, to, "floor")
  if (gross > MAX_VALUE) return Result.fail(tooMuch(amount, to.code))
  if (value === 0) return Result.fail(tooLittle(amount, from, to, rate))
  return Result.succeed({
    settlement: { currency: to.code, value, rate },
    fx_spread: gross - value,
  })
}

/** The example of fees. */
export const exampleFees = {
  service: { currency: "USD", value: 3 },
  fx_spread: { currency: "USD", value: 0 },
  channel: { currency: "USD", value: 4 },
  total: { currency: "USD", value: 7 },
} as const

/**
 * The fees of a payment, each line in minor units of the settlement currency (Transaction fees).
 * `service` and `channel` are taken from the payee's wallet when the payment has succeeded. Only
 * `service` is refunded, in proportion to the refunded amount.
 */
export const Fees = Schema.Struct({
  service: Amount,
  fx_spread: Amount,
  channel: Amount,
  total: Amount,
}).annotate({
  identifier: "Fees",
  description:
    "`service` is the service's own fee, `channel` the channel's network fee, passed " +
    "through. `fx_spread` is the difference between the settlement and the mid-market " +
    "rate. The settlement already includes it, so that it is not charged again.",
  examples: [exampleFees],
})
/** A {@link Fees}. */
export type Fees = typeof Fees.Type

const WHOLE = 10_000

/** The inputs of the fees. */
export interface FeeRequest {
  readonly method: PaymentMethod
  /** The currency of the payment. */
  readonly currency: string
  readonly settled: Settled
  readonly channel: Pick<Channel, "kind" | "network_fee_basis_points">
  /** The fees in force. */
  readonly fees: FeeTable
}

/**
 * Returns the fees of a payment on a channel: percentages of its settlement, each rounded once,
 * half to even. For 500 minor units of one currency on a channel of 0.6%, they are 2 (of 2.5) and
 * 3, together 5.
 */
export const feesOf = ({ method, currency, settled, channel, fees }: FeeRequest): Fees => {
  const { settlement, fx_spread } = settled
  const kind = feeKind(method, currency, settlement.currency, channel)
  const service = proportion(settlement.value, fees[kind].service, WHOLE)
  const network = proportion(settlement.value, channel.network_fee_basis_points, WHOLE)
  return feesFrom(settlement.currency, service, fx_spread, network)
}

/** Returns the fees with their sum. */
export const feesFrom = (
  currency: string,
  service: number,
  fxSpread: number,
  channel: number,
): Fees => ({
  service: { currency, value: service },
  fx_spread: { currency, value: fxSpread },
  channel: { currency, value: channel },
  total: { currency, value: service + fxSpread + channel },
})
