import type { Channel } from "../channels/Channel.ts"
import { Result, Schema } from "effect"
import type { Currency, CurrencyTable } from "../shared/Currency.ts"
import { Failure } from "../shared/Failure.ts"
import { MAX_VALUE, type Money, proportion, toMajor } from "../shared/Money.ts"
import { convert, cross, leastConverted, ONE, type Rate } from "../shared/Rate.ts"
import { Amount } from "../shared/Wire.ts"

/** What a payment is for: one price, metered use, or a plan. */
export type PaymentMethod = "one_time" | "cumulative" | "subscription"

/** The kinds of payment that have a price of their own (Transaction fees). */
export type FeeKind = PaymentMethod | "stablecoin" | "cross_border"

/** All in whole parts per ten thousand. */
export interface FeeRow {
  /** The service's own fee. */
  readonly service: number
  /** What a conversion costs: both currencies are widely traded, one is, or none. */
  readonly spread: { readonly low: number; readonly middle: number; readonly high: number }
}

/** A row for every kind. */
export type FeeTable = { readonly [K in FeeKind]: FeeRow }

/**
 * The service's usual prices (Transaction fees). Refunds and voids cost nothing. A payment that
 * needs a conversion is always `cross_border` or `stablecoin`, so the other rows' spreads are never
 * met.
 */
export const FEES: FeeTable = {
  one_time: { service: 50, spread: { low: 30, middle: 55, high: 80 } },
  cumulative: { service: 30, spread: { low: 20, middle: 35, high: 50 } },
  subscription: { service: 50, spread: { low: 30, middle: 55, high: 80 } },
  stablecoin: { service: 30, spread: { low: 10, middle: 20, high: 30 } },
  cross_border: { service: 50, spread: { low: 30, middle: 75, high: 120 } },
}

/**
 * The kind of a payment: what its channel is comes first, then whether payer and payee have
 * different currencies, then what the payment is for. `channel` is undefined while the payer has
 * yet to choose one.
 */
export const feeKind = (
  method: PaymentMethod,
  from: string,
  to: string,
  channel: Pick<Channel, "kind"> | undefined,
): FeeKind =>
  channel?.kind === "stablecoin" ? "stablecoin" : from === to ? method : "cross_border"

const MAJOR = new Set(["USD", "EUR", "GBP", "JPY", "CNY"])

/** Currencies that the law holds at a fixed rate to the dollar. */
const FIXED_TO_USD = new Set(["AED", "BHD", "BMD", "BSD", "JOD", "OMR", "PAB", "QAR", "SAR"])

const anchorOf = (currency: string): string => (FIXED_TO_USD.has(currency) ? "USD" : currency)

/**
 * Whether somebody has to exchange money between the two currencies. A stablecoin needs no exchange
 * between currencies that stand at a fixed rate to its own peg (FX routing rules).
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
 * The FX spread between two currencies in parts per ten thousand: the low end of the kind's range
 * where both are widely traded, the middle where one is, the high end otherwise, and none without
 * an exchange (Transaction fees).
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

/** What the payee gets, in minor units of its own currency, at which rate (PaymentIntent). */
export type Settlement = Money & { readonly rate: Rate }

/** A settlement, and by how many minor units it is below the amount at the mid-market rate. */
export interface Settled {
  readonly settlement: Settlement
  readonly fx_spread: number
}

/** What the price of a payment depends on. */
export type PricedChannel = Pick<Channel, "kind" | "pegged_to">

/** A payment whose settlement is asked for. */
export interface SettlementRequest {
  readonly amount: Money
  readonly settlement_currency: string
  readonly method: PaymentMethod
  /** The channel that takes the payment; undefined while the payer has yet to choose one. */
  readonly channel: PricedChannel | undefined
  /** What one US dollar buys of the payer's currency and of the payee's. */
  readonly usdToPayer: Rate
  readonly usdToSettlement: Rate
  readonly currencies: CurrencyTable
  /** The prices in force. */
  readonly fees: FeeTable
}

const invalid = (currency: string, constraint: string) =>
  new Failure({
    code: "INVALID_AMOUNT",
    message: `The amount cannot be settled: ${currency} ${constraint}.`,
    field: "amount.currency",
    details: { field: "amount.currency", value: currency, constraint },
  })

/** What is paid out is bounded like what is paid in: both are added up. */
const tooMuch = ({ value }: Money, to: string) => {
  const constraint = `must be worth at most ${MAX_VALUE} minor units of ${to}`
  return new Failure({
    code: "INVALID_AMOUNT",
    message: `The amount cannot be settled: it ${constraint}.`,
    field: "amount.value",
    details: { field: "amount.value", value, constraint },
  })
}

/** What is paid has to be worth something to its payee. */
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
 * units: however an amount is split, its parts never settle to more than the whole. Without a
 * conversion the amount is settled as it is, at rate 1.
 *
 * Fails with `INVALID_AMOUNT` for a currency that is none, for a result above what can be paid, and
 * for one of nothing, with the least that can be paid as `details.minimum`; with
 * `TEMPORARILY_UNAVAILABLE` where a rate is none: zero or negative.
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

/** Fees in examples. */
export const exampleFees = {
  service: { currency: "USD", value: 3 },
  fx_spread: { currency: "USD", value: 0 },
  channel: { currency: "USD", value: 4 },
  total: { currency: "USD", value: 7 },
} as const

/**
 * What a payment costs its payee, each line in minor units of the settlement currency
 * (Transaction fees). `service` and `channel` are taken from the payee's wallet when the payment
 * has succeeded; `service` alone is refunded, in proportion with the payment.
 */
export const Fees = Schema.Struct({
  service: Amount,
  fx_spread: Amount,
  channel: Amount,
  total: Amount,
}).annotate({
  identifier: "Fees",
  description:
    "`service` is the service's own fee, `channel` the channel's network fee, passed through. " +
    "`fx_spread` is what the settlement is below the mid-market rate: it is in the settlement " +
    "already and not taken again.",
  examples: [exampleFees],
})
/** A {@link Fees}. */
export type Fees = typeof Fees.Type

const WHOLE = 10_000

/** What a payment is priced by. */
export interface FeeRequest {
  readonly method: PaymentMethod
  /** The currency that is paid in. */
  readonly currency: string
  readonly settled: Settled
  readonly channel: Pick<Channel, "kind" | "network_fee_basis_points">
  /** The prices in force. */
  readonly fees: FeeTable
}

/**
 * The fees of a payment on a channel: percentages of what it settles to, each rounded once, half to
 * even. 500 minor units of one currency on a channel of 0.6% cost 2 (of 2.5) and 3, together 5.
 */
export const feesOf = ({ method, currency, settled, channel, fees }: FeeRequest): Fees => {
  const { settlement, fx_spread } = settled
  const kind = feeKind(method, currency, settlement.currency, channel)
  const service = proportion(settlement.value, fees[kind].service, WHOLE)
  const network = proportion(settlement.value, channel.network_fee_basis_points, WHOLE)
  return feesFrom(settlement.currency, service, fx_spread, network)
}

/** The fees of these lines, with their sum. */
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
