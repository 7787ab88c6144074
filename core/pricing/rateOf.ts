import { Effect } from "effect"
import { Rates } from "../ports/Rates.ts"
import { Failure } from "../shared/Failure.ts"
import { isRate } from "../shared/Rate.ts"

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
