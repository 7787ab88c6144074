import { BigDecimal } from "effect"
import type { Currency } from "./Currency.ts"
import { halfEven } from "./Money.ts"

/**
 * An exact exchange rate, as a decimal string without exponent: how many major units of the quote
 * currency one major unit of the base currency buys.
 */
export type Rate = string

/** The rate of a currency against itself. */
export const ONE: Rate = "1"

const SIGNIFICANT_DIGITS = 12

/** Whether the text is a positive decimal of at most 24 digits, which nobody's arithmetic fears. */
export const isRate = (text: string): boolean =>
  /^\d{1,12}(\.\d{1,12})?$/.test(text) && /[1-9]/.test(text)

const decimal = (rate: Rate): BigDecimal.BigDecimal => BigDecimal.fromStringUnsafe(rate)

/** All digits of a positive number, also where `BigDecimal.format` would write an exponent. */
const plain = ({ value, scale }: BigDecimal.BigDecimal): string => {
  if (scale <= 0) return (value * 10n ** BigInt(-scale)).toString()
  const digits = value.toString().padStart(scale + 1, "0")
  return `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** Keeps twelve significant digits. */
const rounded = (value: BigDecimal.BigDecimal, mode: "half-even" | "floor"): Rate => {
  const digits = value.value.toString().replace("-", "").length
  const kept = BigDecimal.round(value, {
    scale: SIGNIFICANT_DIGITS - (digits - value.scale),
    mode,
  })
  return plain(BigDecimal.normalize(kept))
}

/**
 * The rate of `base` to `quote` from what one US dollar buys of each, less a spread in parts per
 * ten thousand: `mid × (1 − spread)`, rounded once, half to even; without a spread down, so that no
 * rate is above the mid-market rate that it was taken from. Undefined unless both rates are
 * positive.
 */
export const cross = (
  usdToBase: Rate,
  usdToQuote: Rate,
  spreadBasisPoints = 0,
): Rate | undefined => {
  const [base, quote] = [decimal(usdToBase), decimal(usdToQuote)]
  if (base.value <= 0n || quote.value <= 0n) return undefined
  const kept = BigDecimal.make(10_000n - BigInt(spreadBasisPoints), 4)
  const value = BigDecimal.divideUnsafe(BigDecimal.multiply(quote, kept), base)
  return rounded(value, spreadBasisPoints === 0 ? "floor" : "half-even")
}

/** Minor units of `to` for minor units of `from`, rounded once. */
export const convert = (
  value: number,
  rate: Rate,
  from: Currency,
  to: Currency,
  mode: "half-even" | "floor",
): number => {
  const major = BigDecimal.make(BigInt(value), from.exponent)
  const product = BigDecimal.multiply(major, decimal(rate))
  const minor = BigDecimal.make(product.value, product.scale - to.exponent)
  const whole = BigDecimal.round(minor, { scale: 0, mode })
  return Number(BigDecimal.scale(whole, 0).value)
}

/** The fewest minor units of `from` that come to one of `to`, where nothing is rounded up. */
export const leastConverted = (rate: Rate, from: Currency, to: Currency): number => {
  const [digits, scale] = exact(rate)
  const [above, below] = [scale * 10n ** BigInt(from.exponent), digits * 10n ** BigInt(to.exponent)]
  return Number((above + below - 1n) / below)
}

/** What one US dollar buys of a currency. */
export interface PerDollar {
  readonly rate: Rate
  readonly currency: Currency
}

/** The dollar against itself. */
export const DOLLAR: PerDollar = { rate: ONE, currency: { code: "USD", exponent: 2 } }

const exact = (rate: Rate): readonly [digits: bigint, scale: bigint] => {
  const [whole = "0", fraction = ""] = rate.split(".")
  return [BigInt(whole + fraction), 10n ** BigInt(fraction.length)]
}

/**
 * What minor units of one currency are worth in minor units of another at the mid-market rate,
 * computed exactly and rounded once. What is held to a limit is rounded `up`, so that many small
 * payments are no way past it; what is billed is rounded `half-even`.
 */
export const worth = (
  value: number,
  from: PerDollar,
  to: PerDollar,
  rounding: "up" | "half-even",
): number => {
  const [sold, soldScale] = exact(from.rate)
  const [bought, boughtScale] = exact(to.rate)
  const above = BigInt(value) * bought * soldScale * 10n ** BigInt(to.currency.exponent)
  const below = sold * boughtScale * 10n ** BigInt(from.currency.exponent)
  if (rounding === "half-even") return halfEven(above, below)
  const whole = (above + below - 1n) / below
  const most = BigInt(Number.MAX_SAFE_INTEGER)
  return Number(whole < most ? whole : most)
}
