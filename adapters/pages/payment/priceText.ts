import type { ShownPrice } from "../../../core/hosted/payStaticCode.ts"

/** Returns a shown price as the value of a form: its amount, currency and label. */
export const priceText = ({ amount, label }: ShownPrice): string =>
  `${amount.value} ${amount.currency} ${label}`

/** Reads such a value; undefined for every other text. */
export const readPrice = (text: string): ShownPrice | undefined => {
  const found = /^(\d{1,15}) ([A-Z]{3}) (.*)$/s.exec(text)
  if (found === null) return undefined
  const [, value, currency = "", label = ""] = found
  return { label, amount: { currency, value: Number(value) } }
}
