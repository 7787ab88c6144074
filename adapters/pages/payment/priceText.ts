import type { ShownPrice } from "../../../core/hosted/payStaticCode.ts"
import type { Money } from "../../../core/shared/Money.ts"

/** Returns a shown price as the value of a form: its index, amount and currency. */
export const priceText = (index: number, { currency, value }: Money): string =>
  `${index}:${value}:${currency}`

/** Reads such a value; undefined for every other text. */
export const readPrice = (text: string): ShownPrice | undefined => {
  const found = /^(\d{1,3}):(\d{1,15}):([A-Z]{3})$/.exec(text)
  if (found === null) return undefined
  const [, index, value, currency = ""] = found
  return { index: Number(index), amount: { currency, value: Number(value) } }
}
