import { data } from "currency-codes"
import type { Currency, CurrencyTable } from "../../core/shared/Currency.ts"

/** ISO codes that name no money: metals, bond units, tests and "no currency". */
const NO_MONEY = /^X(AG|AU|BA|BB|BC|BD|DR|PD|PT|SU|TS|UA|XX)$/

/** In the standard since 2025 instead of ANG. The package does not have it yet. */
const CARIBBEAN_GUILDER: Currency = { code: "XCG", exponent: 2, numeric: "532" }

/** The currencies of ISO 4217 with the decimals of their minor units. */
export const currencies: CurrencyTable = new Map(
  data
    .filter(({ code }) => !NO_MONEY.test(code))
    .map(({ code, digits, number }): Currency => ({ code, exponent: digits, numeric: number }))
    .concat(CARIBBEAN_GUILDER)
    .map((currency) => [currency.code, currency]),
)
