import type { Money } from "../../../../adapters/http/client/Resources.ts"

let exponents: { readonly [currency: string]: number } = {}

/** Sets the decimals of currencies that do not have two. */
export const setExponents = (known: { readonly [currency: string]: number }): void =>
  void (exponents = known)

const exponentOf = (currency: string): number => exponents[currency] ?? 2

/** Formats 123456 minor units as `1,234.56`, exactly for any number. */
export const major = (value: number | bigint, currency: string): string => {
  const decimals = exponentOf(currency)
  const amount = BigInt(value)
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, "0")
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ",")
  const part = decimals === 0 ? "" : `.${digits.slice(-decimals)}`
  return `${amount < 0n ? "−" : ""}${whole}${part}`
}

/** `1,234.56 USD`. */
export const money = ({ currency, value }: Money): string => `${major(value, currency)} ${currency}`

/** Returns the minor units of a typed amount, such as `12.5`; undefined if it is invalid. */
export const minorOf = (typed: string, currency: string): number | undefined => {
  const decimals = exponentOf(currency)
  const [, whole = "", part = ""] = /^(\d{1,13})(?:\.(\d*))?$/.exec(typed.trim()) ?? []
  if (whole === "" || part.length > decimals) return undefined
  const value = Number(BigInt(whole + part.padEnd(decimals, "0")))
  return value > 0 && value <= 1e12 ? value : undefined
}

/** Returns an amount in the form in which it can be typed. */
export const typable = ({ currency, value }: Money): string =>
  major(value, currency).replaceAll(",", "")
