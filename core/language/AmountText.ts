import { pattern } from "./Pattern.ts"
import { currencyAt, partAt } from "./CurrencyText.ts"
import { numberAt, timesPowerOfTen } from "./NumberText.ts"

/** An amount of money that a text names: an exact decimal in major units. */
export interface FoundAmount {
  readonly value: string
  /** Undefined for a number that nothing says the currency of. */
  readonly currency: string | undefined
  readonly start: number
  readonly end: number
}

/** What holds digits and is no amount: identifiers, times, dates, shares, counts. */
const NO_AMOUNTS = pattern("giu")`
  \b[a-z]+_[0-9a-z-]{6,}|\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\b\d{4}-\d{2}(?:-\d{2})?\b
  |\b\d{1,2}:\d{2}\b|\b\d+(?:\.\d+)?\s?%|#\s?\d+|\b(?:no\.?|number|invoice|order)\s+\d+
  |\d+\s?(?:days?|weeks?|months?|years?|hours?|minutes?|seconds?|times|users?|seats?|people
  |tokens?|pages?|requests?|queries)\b|[\d一二两三四五六七八九十百千]+\s?(?:天|周|个月|月|年|小时
  |分钟|秒|次|个|位|人|号|页|张|条)|百分之|一(?=[下份笔些点起定直样般])
`

/** The text with blanks in place of identifiers, dates, shares and counts. */
export const withoutOtherNumbers = (text: string): string =>
  text.replace(NO_AMOUNTS, (found) => " ".repeat(found.length))

const skipSpace = (text: string, at: number): number => {
  let next = at
  while (text.charAt(next) === " ") next++
  return next
}

const AND = /\s*(?:and|,)?\s*/iy

const after = (sticky: RegExp, text: string, at: number): number => {
  sticky.lastIndex = at
  return at + (sticky.exec(text)?.[0].length ?? 0)
}

const isWordInside = (text: string, at: number): boolean =>
  /[\p{L}\d_.-]/u.test(text.charAt(at - 1)) &&
  !/\p{Script=Han}/u.test(text.charAt(at - 1)) &&
  /[a-z\d]/i.test(text.charAt(at))

const fractionOf = (digits: string, power: number): string | undefined =>
  /^\d+$/.test(digits) && digits.length <= power ? digits.padStart(power, "0") : undefined

/** `5 dollars and 20 cents`, `三块五`, `3块5毛`: what follows a whole amount and belongs to it. */
const withParts = (text: string, amount: FoundAmount): FoundAmount => {
  if (amount.currency === undefined || amount.value.includes(".")) return amount
  const next = after(AND, text, amount.end)
  const number = numberAt(text, next)
  if (number === undefined) return amount
  const part = partAt(text, skipSpace(text, number.end))
  if (part !== undefined && (part.code === undefined || part.code === amount.currency)) {
    const fraction = fractionOf(number.value, part.power)
    return fraction === undefined
      ? amount
      : { ...amount, value: `${amount.value}.${fraction}`, end: part.end }
  }
  const direct =
    amount.currency === "CNY" && next === amount.end && /[块元]$/.test(text.slice(0, next))
  return direct && /^\d$/.test(number.value)
    ? { ...amount, value: `${amount.value}.${number.value}`, end: number.end }
    : amount
}

const amountAt = (
  text: string,
  start: number,
  codes: ReadonlySet<string>,
): FoundAmount | undefined => {
  const before = currencyAt(text, start, codes)
  const first = before === undefined ? start : skipSpace(text, before.end)
  const number = numberAt(text, first)
  if (number === undefined) return undefined
  const behind = skipSpace(text, number.end)
  if (before !== undefined) {
    const named = currencyAt(text, behind, codes)
    // `$20 CAD`: the code behind says whose dollars.
    const end = named === undefined ? number.end : named.end
    return withParts(text, {
      value: number.value,
      currency: named?.code ?? before.code,
      start,
      end,
    })
  }
  const named = currencyAt(text, behind, codes)
  if (named !== undefined) {
    return withParts(text, { value: number.value, currency: named.code, start, end: named.end })
  }
  const part = partAt(text, behind)
  if (part !== undefined) {
    const value = timesPowerOfTen(number.value, 0)
    return {
      value: hundredth(value, part.power),
      currency: part.code ?? "USD",
      start,
      end: part.end,
    }
  }
  return { value: number.value, currency: undefined, start, end: number.end }
}

const hundredth = (value: string, power: number): string => {
  const [whole = "0", fraction = ""] = value.split(".")
  const padded = whole.padStart(power + 1, "0")
  const text = `${padded.slice(0, -power)}.${padded.slice(-power)}${fraction}`
  return text.replace(/\.?0+$/, "")
}

/**
 * The amounts that a text names, in digits or in words, in English or in Chinese, in their order.
 * Numbers that are part of identifiers, dates and counts are none. `codes` are the ISO 4217 codes
 * that there are.
 */
export const amountsIn = (
  given: string,
  codes: ReadonlySet<string>,
): ReadonlyArray<FoundAmount> => {
  const text = withoutOtherNumbers(given.normalize("NFKC"))
  const found: Array<FoundAmount> = []
  for (let at = 0; at < text.length;) {
    const amount = isWordInside(text, at) ? undefined : amountAt(text, at, codes)
    if (amount !== undefined) found.push(amount)
    at = amount === undefined ? at + 1 : Math.max(amount.end, at + 1)
  }
  return found
}

const sameDecimal = (a: string, b: string): boolean => {
  const plain = (value: string) => (value.includes(".") ? value.replace(/\.?0+$/, "") : value)
  return plain(a) === plain(b)
}

/** Whether one of a text's amounts is that one, and in that currency where one is given. */
export const namesAmount = (
  amounts: ReadonlyArray<FoundAmount>,
  amount: string,
  currency: string | undefined,
): boolean =>
  amounts.some(
    (found) =>
      sameDecimal(found.value, amount) &&
      (currency === undefined || found.currency === undefined || found.currency === currency),
  )

/** Whether the text names that currency, by one of its amounts or alone. */
export const namesCurrency = (
  given: string,
  amounts: ReadonlyArray<FoundAmount>,
  codes: ReadonlySet<string>,
  currency: string,
): boolean => {
  if (amounts.some((found) => found.currency === currency)) return true
  const text = given.normalize("NFKC")
  for (let at = 0; at < text.length; at++) {
    if (currencyAt(text, at, codes)?.code === currency) return true
  }
  return false
}
