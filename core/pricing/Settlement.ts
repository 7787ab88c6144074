import { Result } from "effect"
import type { Channel } from "../channels/Channel.ts"
import type { CurrencyTable } from "../shared/Currency.ts"
import { Failure } from "../shared/Failure.ts"
import { MAX_VALUE, type Money } from "../shared/Money.ts"
import { convert, cross, ONE, type Rate } from "../shared/Rate.ts"
import { feeKind, type PaymentMethod } from "./FeeTable.ts"
import { spreadBasisPoints } from "./Spread.ts"

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

const unusable = (from: string, to: string) =>
  new Failure({
    code: "TEMPORARILY_UNAVAILABLE",
    message: `There is no usable exchange rate from ${from} to ${to} at the moment. Retry later.`,
    retry_after: 60,
  })

/**
 * Settles an amount at `mid × (1 − spread)` with twelve significant digits, rounded once to minor
 * units, half to even. Without a conversion the amount is settled as it is, at rate 1.
 *
 * Fails with `INVALID_AMOUNT` for a currency that is none, or a result above what can be paid, and
 * with `TEMPORARILY_UNAVAILABLE` where a rate is none: zero or negative.
 */
export const settle = (
  request: SettlementRequest,
): Result.Result<Settled, Failure<"INVALID_AMOUNT" | "TEMPORARILY_UNAVAILABLE">> => {
  const { amount, settlement_currency, method, channel, currencies } = request
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
  const spread = spreadBasisPoints(from.code, to.code, kind, channel)
  const mid = cross(request.usdToPayer, request.usdToSettlement)
  const rate = cross(request.usdToPayer, request.usdToSettlement, spread)
  if (mid === undefined || rate === undefined) return Result.fail(unusable(from.code, to.code))
  const gross = convert(amount.value, mid, from, to)
  const value = convert(amount.value, rate, from, to)
  return gross <= MAX_VALUE
    ? Result.succeed({ settlement: { currency: to.code, value, rate }, fx_spread: gross - value })
    : Result.fail(tooMuch(amount, to.code))
}
