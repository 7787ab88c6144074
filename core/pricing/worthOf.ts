import { Effect } from "effect"
import { Installation } from "../ports/Installation.ts"
import type { Money } from "../shared/Money.ts"
import { DOLLAR, worth } from "../shared/Rate.ts"
import { rateOf } from "./rateOf.ts"

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
