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

/** Returns whether the text is a positive decimal of at most 24 digits. */
export const isRate = (text: string): boolean =>
  /^\d{1,12}(\.\d{1,12})?$/.test(text) && /[1-9]/.test(text)

const RATE_DECIMALS = 12

/**
 * Returns a rate that somebody else wrote, as a decimal with or without an exponent, rounded to
 * twelve decimals; undefined if it is none, or rounds to nothing.
 */
export const readRate = (text: string): Rate | undefined => {
  if (isRate(text)) return text
  if (!/^\d{1,12}(\.\d{1,40})?(e-\d{1,2})?$/i.test(text)) return undefined
  const value = BigDecimal.round(BigDecimal.fromStringUnsafe(text), {
    scale: RATE_DECIMALS,
    mode: "half-even",
  })
  const rate = plain(BigDecimal.normalize(value))
  return isRate(rate) ? rate : undefined
}

const decimal = (rate: Rate): BigDecimal.BigDecimal => BigDecimal.fromStringUnsafe(rate)

/** Returns all digits of a positive number. `BigDecimal.format` may write an exponent instead. */
const plain = ({ value, scale }: BigDecimal.BigDecimal): string => {
  if (scale <= 0) return (value * 10n ** BigInt(-scale)).toString()
  const digits = value.toString().padStart(scale + 1, "0")
  return `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** Rounds to twelve significant digits. */
const rounded = (value: BigDecimal.BigDecimal, mode: "half-even" | "floor"): Rate => {
  const digits = value.value.toString().replace("-", "").length
  const kept = BigDecimal.round(value, {
    scale: SIGNIFICANT_DIGITS - (digits - value.scale),
    mode,
  })
  return plain(BigDecimal.normalize(kept))
}

/**
 * Returns the rate of `base` to `quote`, from what one US dollar buys of each, minus a spread in
 * parts per ten thousand: `mid × (1 − spread)`, rounded once, half to even. Without a spread it is
 * rounded down, so that no rate exceeds its mid-market rate. Returns undefined unless both rates
 * are positive.
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

/** Converts minor units of `from` to minor units of `to`, rounded once. */
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

/** Returns the fewest minor units of `from` that convert to one of `to` without rounding up. */
export const leastConverted = (rate: Rate, from: Currency, to: Currency): number => {
  const [digits, scale] = exact(rate)
  const [above, below] = [scale * 10n ** BigInt(from.exponent), digits * 10n ** BigInt(to.exponent)]
  return Number((above + below - 1n) / below)
}

/** How much of a currency one US dollar buys. */
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
 * Converts minor units of one currency to minor units of another at the mid-market rate, computed
 * exactly and rounded once. An amount for a limit is rounded `up`, so that many small payments
 * cannot get around it. A billed amount is rounded `half-even`.
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
