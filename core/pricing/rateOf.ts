import { Effect } from "effect"
import { DOLLAR, isRate, worth } from "../shared/Rate.ts"
import { Rates } from "../ports/Rates.ts"
import { Failure } from "../shared/Failure.ts"
import { Installation } from "../ports/Installation.ts"
import type { Money } from "../shared/Money.ts"

/**
 * How many units of the currency one US dollar buys, where that is a rate at all: nobody counts
 * with zero, whatever a source of rates says.
 *
 * Fails with `INVALID_AMOUNT` for a currency without a rate, and with `TEMPORARILY_UNAVAILABLE`
 * when the rate is too old or none.
 */
export const rateOf = Effect.fnUntraced(function* (currency: string) {
  const { rate } = yield* (yield* Rates).perDollar(currency)
  if (isRate(rate)) return rate
  return yield* new Failure({
    code: "TEMPORARILY_UNAVAILABLE",
    message: `There is no usable exchange rate of ${currency} at the moment. Retry in a minute.`,
    retry_after: 60,
  })
})

const perDollar = Effect.fnUntraced(function* (code: string) {
  if (code === DOLLAR.currency.code) return DOLLAR
  const currency = (yield* Installation).currencies.get(code)
  if (currency === undefined) return yield* Effect.die(`${code} was not checked`)
  return { rate: yield* rateOf(code), currency }
})

/**
 * What an amount is worth in minor units of another currency at the mid-market rate of now, rounded
 * once: `up` where it is held to a limit, `half-even` where it is billed.
 *
 * Fails as {@link rateOf} does.
 */
export const worthOf = Effect.fnUntraced(function* (
  { currency, value }: Money,
  other: string,
  rounding: "up" | "half-even",
) {
  if (currency === other) return value
  return worth(value, yield* perDollar(currency), yield* perDollar(other), rounding)
})
