import type { CurrencyTable } from "../../../core/shared/Currency.ts"
import type { Money as Amount } from "../../../core/shared/Money.ts"
import { showMoney } from "./showMoney.ts"

interface MoneyProps {
  readonly amount: Amount
  readonly currencies: CurrencyTable
  readonly locale: string
}

/** An amount, with its currency's code if several currencies share its sign. */
export const Money = ({ amount, currencies, locale }: MoneyProps) => {
  const text = showMoney(amount, currencies, locale)
  const isNamed = text.includes(amount.currency)
  return (
    <span class="money">
      <span class="sum">{text}</span>
      {!isNamed && <span class="code"> {amount.currency}</span>}
    </span>
  )
}
