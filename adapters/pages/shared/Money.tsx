import { type Money as Amount, toMajor } from "../../../core/shared/Money.ts"
import type { CurrencyTable } from "../../../core/shared/Currency.ts"

/**
 * An amount in its reader's notation, exactly: `$6.99`, `US$6.99`, `¥500`. Its decimals are those
 * of the currency, whatever the notation knows.
 */
export const moneyText = (amount: Amount, currencies: CurrencyTable, locale: string): string => {
  const currency = currencies.get(amount.currency)
  if (currency === undefined) return `${amount.value} ${amount.currency}`
  const { code, exponent } = currency
  const notation = new Intl.NumberFormat(locale, {
    style: "currency",
    currency: code,
    minimumFractionDigits: exponent,
    maximumFractionDigits: exponent,
  })
  // A decimal as text is formatted digit by digit, where a number would be rounded.
  return notation.format(toMajor(amount, currency) as Intl.StringNumericLiteral)
}

interface MoneyProps {
  readonly amount: Amount
  readonly currencies: CurrencyTable
  readonly locale: string
}

/** The same with the currency's code where the notation has but a sign that several share. */
export const Money = ({ amount, currencies, locale }: MoneyProps) => {
  const text = moneyText(amount, currencies, locale)
  const isNamed = text.includes(amount.currency)
  return (
    <span class="money">
      <span class="sum">{text}</span>
      {!isNamed && <span class="code"> {amount.currency}</span>}
    </span>
  )
}
