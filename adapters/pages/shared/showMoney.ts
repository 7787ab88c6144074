import type { CurrencyTable } from "../../../core/shared/Currency.ts"
import { type Money, toMajor, written } from "../../../core/shared/Money.ts"

/**
 * Returns an exact amount in the reader's notation: `$6.99`, `US$6.99`, `¥500`. The currency
 * decides its decimals, not the locale.
 */
export const showMoney = (money: Money, currencies: CurrencyTable, locale: string): string => {
  const currency = currencies.get(money.currency)
  if (currency === undefined) return `${money.value} ${money.currency}`
  const digits = currency.exponent
  try {
    const format = new Intl.NumberFormat(locale, {
      style: "currency",
      currency: money.currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    })
    // A decimal text is formatted digit by digit. A number would be rounded.
    return format.format(toMajor(money, currency) as Intl.StringNumericLiteral)
  } catch {
    // A host's own currency may have a code that the formatter refuses.
    return written(money, currency)
  }
}
