import { data } from "currency-codes"
import type { CurrencyTable } from "../../core/shared/Currency.ts"

/** Codes of the standard that name no money: metals, bond units, tests and "no currency". */
const NO_MONEY = /^X(AG|AU|BA|BB|BC|BD|DR|PD|PT|SU|TS|UA|XX)$/

/** The currencies of ISO 4217 with the decimals of their minor units. */
export const currencies: CurrencyTable = new Map(
  data
    .filter(({ code }) => !NO_MONEY.test(code))
    .map(({ code, digits, number }) => [code, { code, exponent: digits, numeric: number }]),
)
