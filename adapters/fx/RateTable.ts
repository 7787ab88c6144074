import { Result } from "effect"
import type { Installation } from "../../core/ports/Installation.ts"
import { Failure } from "../../core/shared/Failure.ts"
import type { Rate } from "../../core/shared/Rate.ts"
import { HOUR, type Timestamp } from "../../core/shared/Timestamp.ts"

/** The rate of each currency to one US dollar at one time. */
export interface RateTable {
  readonly as_of: Timestamp
  readonly per_dollar: { readonly [currency: string]: Rate }
}

/** Older rates are refused in live mode. */
const MAX_AGE = 24 * HOUR

const noRate = (currency: string) =>
  new Failure({
    code: "INVALID_AMOUNT",
    message:
      `There is no exchange rate for ${JSON.stringify(currency.slice(0, 8))}. ` +
      "Use another currency.",
    field: "amount.currency",
    details: {
      field: "amount.currency",
      value: currency.slice(0, 8),
      constraint: "must be a currency that has an exchange rate",
    },
  })

const tooOld = (hours: number) =>
  new Failure({
    code: "TEMPORARILY_UNAVAILABLE",
    message: `The exchange rates are ${hours} hours old; payments need rates of the last 24 hours.`,
    retry_after: 60,
  })

/** Returns the currency's rate at that time. In live mode it is at most a day old. */
export const rateIn = (
  { as_of, per_dollar }: RateTable,
  currency: string,
  mode: Installation["Service"]["mode"],
  now: Timestamp,
): Result.Result<
  { readonly rate: Rate; readonly as_of: Timestamp },
  Failure<"INVALID_AMOUNT" | "TEMPORARILY_UNAVAILABLE">
> => {
  const rate = Object.hasOwn(per_dollar, currency) ? per_dollar[currency] : undefined
  if (rate === undefined) return Result.fail(noRate(currency))
  const age = now - as_of
  return mode === "live" && age > MAX_AGE
    ? Result.fail(tooOld(Math.floor(age / HOUR)))
    : Result.succeed({ rate, as_of })
}
