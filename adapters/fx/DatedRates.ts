import { Clock, Effect, Layer } from "effect"
import { Installation } from "../../core/ports/Installation.ts"
import { Rates } from "../../core/ports/Rates.ts"
import { Failure } from "../../core/shared/Failure.ts"
import type { Rate } from "../../core/shared/Rate.ts"
import { HOUR, type Timestamp } from "../../core/shared/Timestamp.ts"

/** What one US dollar bought of each currency at one time. */
export interface RateTable {
  readonly as_of: Timestamp
  readonly per_dollar: { readonly [currency: string]: Rate }
}

/** Rates older than this are refused in live mode. */
const MAX_AGE = 24 * HOUR

/** Mid-market rates of twenty-three currencies, rounded, at noon of 2 June 2026 (UTC). */
export const defaultRates: RateTable = {
  as_of: 1_780_401_600_000,
  per_dollar: {
    USD: "1",
    AED: "3.6725",
    AUD: "1.53",
    BHD: "0.376",
    BRL: "5.45",
    CAD: "1.37",
    CHF: "0.82",
    CNY: "7.16",
    EUR: "0.87",
    GBP: "0.74",
    HKD: "7.83",
    IDR: "16350",
    INR: "86.4",
    JPY: "148.5",
    KRW: "1385",
    KWD: "0.306",
    MYR: "4.24",
    PHP: "57.2",
    SAR: "3.75",
    SGD: "1.29",
    THB: "32.6",
    TWD: "30.4",
    VND: "26150",
  },
}

const noRate = (currency: string) =>
  new Failure({
    code: "INVALID_AMOUNT",
    message: `There is no exchange rate for ${JSON.stringify(currency.slice(0, 8))}.`,
    field: "amount.currency",
    details: { field: "amount.currency", value: currency.slice(0, 8), constraint: "has a rate" },
  })

const tooOld = (hours: number) =>
  new Failure({
    code: "TEMPORARILY_UNAVAILABLE",
    message: `The exchange rates are ${hours} hours old; payments need rates of the last 24 hours.`,
    retry_after: 60,
  })

/** The rates of a table, for sandboxes and tests; in live mode no older than a day. */
export const DatedRates = (table: RateTable = defaultRates) =>
  Layer.effect(
    Rates,
    Effect.gen(function* () {
      const { mode } = yield* Installation
      const rates = new Map(Object.entries(table.per_dollar))
      return Rates.of({
        perDollar: Effect.fnUntraced(function* (currency) {
          const rate = rates.get(currency)
          if (rate === undefined) return yield* noRate(currency)
          const age = (yield* Clock.currentTimeMillis) - table.as_of
          if (mode === "live" && age > MAX_AGE) return yield* tooOld(Math.floor(age / HOUR))
          return { rate, as_of: table.as_of }
        }),
      })
    }),
  )
