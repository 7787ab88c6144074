import { type CurrencyTable } from "../../../core/shared/Currency.ts"
import { type Money, toMajor, written } from "../../../core/shared/Money.ts"
import type { Language } from "./Language.ts"

const LOCALES: { readonly [L in Language]: string } = { en: "en-US", zh: "zh-Hans-CN" }

/** An amount in the notation of its reader, such as `$6.99` and `US$6.99`; exact. */
export const showMoney = (money: Money, currencies: CurrencyTable, language: Language): string => {
  const currency = currencies.get(money.currency)
  if (currency === undefined) return `${money.value} ${money.currency}`
  const digits = currency.exponent
  try {
    const format = new Intl.NumberFormat(LOCALES[language], {
      style: "currency",
      currency: money.currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    })
    return format.format(toMajor(money, currency) as Intl.StringNumericLiteral)
  } catch {
    return written(money, currency)
  }
}
