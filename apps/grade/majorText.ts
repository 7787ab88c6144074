import { currencies } from "../../adapters/fx/Currencies.ts"
import { type Money, toMajor } from "../../core/shared/Money.ts"

/** Returns an amount as channels' callbacks hold it: `6.99` for 699 USD, `699` for 699 VND. */
export const majorText = (money: Money): string => {
  const { currency: code } = money
  return toMajor(money, currencies.get(code) ?? { code, exponent: 2 })
}
