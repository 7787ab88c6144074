import { BigDecimal, Option, Schema } from "effect"
import type { Currency, CurrencyTable } from "./Currency.ts"

/** The largest amount, in minor units of any currency. */
export const MAX_VALUE = 1_000_000_000_000

/** Three capital letters. Whether such a currency exists is checked elsewhere. */
export const CurrencyCode = Schema.String.check(
  Schema.isPattern(/^[A-Z]{3}$/, { expected: "an ISO 4217 code in capitals, such as USD" }),
)

/** An amount in minor units of an ISO 4217 currency (Money). */
export const Money = Schema.Struct({ currency: Schema.String, value: Schema.Int })
export interface Money {
  readonly currency: string
  readonly value: number
}

/** Returns whether a value can be paid: a whole number from 1 to {@link MAX_VALUE} minor units. */
export const isPayable = (value: number): boolean =>
  Number.isSafeInteger(value) && value >= 1 && value <= MAX_VALUE

/** 1 to 1,000,000,000,000 minor units. */
export const PayableValue = Schema.Finite.check(
  Schema.makeFilter(
    (value: number) =>
      isPayable(value) ? undefined : `must be a whole number of minor units from 1 to ${MAX_VALUE}`,
    { toJsonSchema: () => ({ type: "integer", minimum: 1, maximum: MAX_VALUE }) },
  ),
)

/** Amount of a payment: an ISO 4217 code and 1 to 1,000,000,000,000 minor units. */
export const PayableAmount = Schema.Struct({
  currency: CurrencyCode.annotateKey({
    description: "An ISO 4217 currency code, or a stablecoin's code.",
  }),
  value: PayableValue.annotateKey({ description: "In minor units: 699 USD is 6.99." }),
}).annotate({
  identifier: "PayableMoney",
  expected: "object",
  description: "An amount that can be paid, in minor units of a currency.",
  examples: [{ currency: "USD", value: 699 }],
})

/** Returns whether two amounts have the same currency and value. */
export const equals = (a: Money, b: Money): boolean =>
  a.currency === b.currency && a.value === b.value

/**
 * Returns the decimal form in major units: `6.99` for 699 USD, `-0.05` for −5 USD, `500` for 500
 * JPY.
 */
export const toMajor = (money: Money, currency: Currency): string =>
  toFixed(BigDecimal.make(BigInt(money.value), currency.exponent), currency.exponent)

/** Returns a whole number, or the whole part of a decimal, in groups of three: `1,000`. */
export const grouped = (number: number | string): string =>
  String(number).replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","))

/** Returns an amount as text for people: `1,234.56 USD`. */
export const written = (money: Money, currency: Currency): string =>
  `${grouped(toMajor(money, currency))} ${money.currency}`

/** Returns the same by the currency's code. Without that currency, the text says minor units. */
export const writtenIn = (money: Money, currencies: CurrencyTable): string => {
  const currency = currencies.get(money.currency)
  return currency === undefined
    ? `${money.value} ${money.currency} in minor units`
    : written(money, currency)
}

/**
 * Returns the minor units of a decimal string in major units. Returns undefined if it is no plain
 * decimal, is negative, is finer than the currency's minor unit or exceeds the limit.
 */
export const fromMajor = (text: string, currency: Currency): number | undefined => {
  if (!/^\d{1,16}(\.\d{1,16})?$/.test(text)) return undefined
  const parsed = BigDecimal.fromString(text)
  if (Option.isNone(parsed)) return undefined
  const minor = BigDecimal.normalize(
    BigDecimal.multiply(parsed.value, BigDecimal.make(10n ** BigInt(currency.exponent), 0)),
  )
  if (minor.scale > 0) return undefined
  const value = Number(minor.value * 10n ** BigInt(-minor.scale))
  return value <= MAX_VALUE ? value : undefined
}

const toFixed = (amount: BigDecimal.BigDecimal, decimals: number): string => {
  const { value } = BigDecimal.scale(amount, decimals)
  const sign = value < 0n ? "-" : ""
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, "0")
  if (decimals === 0) return sign + digits
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** Returns a quotient rounded half to even. Neither is negative, and the denominator is not 0. */
export const halfEven = (numerator: bigint, denominator: bigint): number => {
  const quotient = numerator / denominator
  const twice = 2n * (numerator % denominator)
  const up = twice > denominator || (twice === denominator && quotient % 2n === 1n)
  return Number(up ? quotient + 1n : quotient)
}

/**
 * Returns `value × part / whole` in whole minor units, computed exactly, half to even: 5/1000 of
 * 500 is 2, because 2.5 is as near to 3. All three are whole numbers and not negative. If `whole`
 * is 0, the result is 0.
 */
export const proportion = (value: number, part: number, whole: number): number => {
  if (whole === 0) return 0
  const product = value * part
  if (!Number.isSafeInteger(product)) return halfEven(BigInt(value) * BigInt(part), BigInt(whole))
  const rest = product % whole
  const quotient = (product - rest) / whole
  // Doubling could exceed the exact integers; subtracting cannot.
  const other = whole - rest
  return rest > other || (rest === other && quotient % 2 === 1) ? quotient + 1 : quotient
}

/** Returns the same rounded up, so that the rest of the value never exceeds the rest's share. */
export const proportionUp = (value: number, part: number, whole: number): number => {
  if (whole === 0) return 0
  const product = value * part
  if (Number.isSafeInteger(product)) {
    const rest = product % whole
    return (product - rest) / whole + (rest === 0 ? 0 : 1)
  }
  const [above, below] = [BigInt(value) * BigInt(part), BigInt(whole)]
  return Number((above + below - 1n) / below)
}

/**
 * Returns the share of `value` for a further part of `whole`, after the parts before it. It is the
 * difference of two shares. Therefore the shares of parts that make up the whole add up to the
 * value, and the last part takes the remainder.
 */
export const nextShare = (value: number, before: number, part: number, whole: number): number =>
  proportion(value, before + part, whole) - proportion(value, before, whole)
