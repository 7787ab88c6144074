import { Effect } from "effect"
import type { Rates } from "../../core/ports/Rates.ts"
import type { CurrencyTable } from "../../core/shared/Currency.ts"
import { Failure } from "../../core/shared/Failure.ts"
import type { Timestamp } from "../../core/shared/Timestamp.ts"

/** The currencies of the simulated world: one without decimals, one with three, rates both ways. */
const MARKET = [
  { code: "USD", exponent: 2, perDollar: "1" },
  { code: "EUR", exponent: 2, perDollar: "0.87" },
  { code: "CNY", exponent: 2, perDollar: "7.16" },
  { code: "SGD", exponent: 2, perDollar: "1.29" },
  { code: "JPY", exponent: 0, perDollar: "148.5" },
  { code: "KWD", exponent: 3, perDollar: "0.306" },
] as const

/** What the world knows of its currencies. */
export const currencies: CurrencyTable = new Map(
  MARKET.map(({ code, exponent }) => [code, { code, exponent }]),
)

const rates = new Map<string, string>(MARKET.map(({ code, perDollar }) => [code, perDollar]))

/** Rates that never move and are always fresh. */
export const marketRates = (now: () => Timestamp): Rates["Service"] => ({
  perDollar: (currency) => {
    const rate = rates.get(currency)
    return rate === undefined
      ? Effect.fail(
          new Failure({ code: "INVALID_AMOUNT", message: `The market has no ${currency}.` }),
        )
      : Effect.sync(() => ({ rate, as_of: now() }))
  },
})
