import type { CurrencyTable } from "../../../core/shared/Currency.ts"
import { type Money, toMajor, written } from "../../../core/shared/Money.ts"

/**
 * An amount in its reader's notation, exactly: `$6.99`, `US$6.99`, `¥500`. Its decimals are those
 * of the currency, whatever the notation knows.
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
    // A decimal as text is formatted digit by digit, where a number would be rounded.
    return format.format(toMajor(money, currency) as Intl.StringNumericLiteral)
  } catch {
    // A host's own currency may have a code that no notation takes.
    return written(money, currency)
  }
}
