import { Clock, Effect, Layer } from "effect"
import { Installation } from "../../core/ports/Installation.ts"
import { Rates } from "../../core/ports/Rates.ts"
import { rateIn, type RateTable } from "./RateTable.ts"

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

/** The rates of a table, for sandboxes and tests. In live mode they must be at most a day old. */
export const DatedRates = (table: RateTable = defaultRates) =>
  Layer.effect(
    Rates,
    Effect.map(Installation, ({ mode }) =>
      Rates.of({
        perDollar: Effect.fnUntraced(function* (currency) {
          const now = yield* Clock.currentTimeMillis
          return yield* Effect.fromResult(rateIn(table, currency, mode, now))
        }),
      }),
    ),
  )
