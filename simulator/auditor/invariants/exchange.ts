import type { Money } from "../../../core/shared/Money.ts"
import type { Timestamp } from "../../../core/shared/Timestamp.ts"
import { decimalsOf, fraction, givenRates } from "../GivenRates.ts"
import { type Finding, type Invariant, invariant } from "../Invariant.ts"
import type { Model } from "../Model.ts"
import type { Observations } from "../Observation.ts"

declare module "../Observation.ts" {
  interface Observations {
    /** An exchange rate that the service was given: what one dollar buys of the currency. */
    readonly rate: { readonly currency: string; readonly rate: string; readonly at: Timestamp }
    /** What a payer was promised, and what its payment settles to; undefined if it was refused. */
    readonly quoted: {
      readonly promised: ReadonlyArray<Money>
      readonly settlement: Money | undefined
    }
  }
}

/** No spread is higher. */
const MOST_SPREAD = 0.012

/** Rates have twelve digits. */
const ROUNDING = 1e-9

/** What the amount comes to at a rate, rounded down. */
const valueAt = ({ currency, value }: Money, rate: string, to: string): bigint => {
  const [over, under] = fraction(rate)
  return (BigInt(value) * over * 10n ** decimalsOf(to)) / (under * 10n ** decimalsOf(currency))
}

const given = ({ at, currency, rate }: Observations["rate"], model: Model): Finding => {
  model.know(givenRates).give(currency, rate, at)
  return Number(rate) > 0 ? undefined : `has a rate of ${rate}`
}

const settles = ({ after, before }: Observations["intent"], model: Model): Finding => {
  if (before !== undefined) return undefined
  const { amount, settlement } = after
  const { currency, rate, value } = settlement
  if (currency === amount.currency) {
    return rate === "1" && value === amount.value ? undefined : `exchanges ${currency} for itself`
  }
  const known = model.know(givenRates)
  const applied = Number(rate)
  const isGiven = known.of(amount.currency).some((sold) =>
    known.of(currency).some((bought) => {
      const mid = Number(bought) / Number(sold)
      const [least, most] = [mid * (1 - MOST_SPREAD), mid]
      return applied >= least * (1 - ROUNDING) && applied <= most * (1 + ROUNDING)
    }),
  )
  if (!isGiven) return `settles at ${rate}, which nobody has given for ${currency}`
  const right = valueAt(amount, rate, currency)
  return BigInt(value) === right ? undefined : `settles to ${value} and not to ${right}`
}

const keepsPromise = ({ promised, settlement }: Observations["quoted"]): Finding => {
  if (settlement === undefined) return undefined
  const { currency, value } = settlement
  const kept = promised.some((one) => one.currency === currency && one.value === value)
  return kept ? undefined : `settles to ${value} ${currency}, which was not promised`
}

/** What payments settle to in other currencies. */
export const exchangeInvariants: ReadonlyArray<Invariant> = [
  invariant(
    81,
    "A payment settles at a rate that was given when it was made, and never at none",
    "Money",
    { rate: given, intent: settles },
  ),
  invariant(
    82,
    "A payment at a quote settles to what was promised, whatever the rates are since",
    "FX routing rules",
    { quoted: keepsPromise },
  ),
]
