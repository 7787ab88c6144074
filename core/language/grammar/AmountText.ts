import { currencyBefore, oneOf, skipSpace } from "./CurrencyPair.ts"
import { currencyAt, hasHundredths, isMeantBy, partAt, type SharedName } from "./CurrencyText.ts"
import { normal } from "./Normal.ts"
import { type FoundNumber, numberAt, numeralsEnd, timesPowerOfTen } from "./NumberText.ts"
import { pattern } from "./Pattern.ts"

/** An amount of money in a text: an exact decimal in major units. */
export interface FoundAmount {
  readonly value: string
  /** Undefined for a number without a currency; the most likely one of a shared name. */
  readonly currency: string | undefined
  /** The name of the currency where several have it. */
  readonly shared?: SharedName
  readonly start: number
  readonly end: number
}

/** Patterns with digits that are not amounts: identifiers, times, dates, shares, counts. */
const NO_AMOUNTS = pattern("giu")`
  \b[a-z]+_[0-9a-z-]{6,}|\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\b\d{4}-\d{2}(?:-\d{2})?\b
  |\b\d{1,2}:\d{2}\b|\b\d+(?:\.\d+)?\s?%|#\s?\d+|\b(?:no\.?|number|invoice|order)\s+\d+
  |(?<!\d)\d+\s?(?:days?|weeks?|months?|years?|hours?|minutes?|seconds?|times|users?|seats?|people
  |tokens?|pages?|requests?|queries)\b|(?<![\d一二两三四五六七八九十百千])[\d一二两三四五六七八九十百千]+\s?
  (?:天|周|个月|月|年|小时|分钟|秒|次|个|位|人|号|页|张|条)|百分之|一(?=[下份笔些点起定直样般])
`

/** Replaces identifiers, dates, shares and counts by blanks. */
export const withoutOtherNumbers = (text: string): string =>
  text.replace(NO_AMOUNTS, (found) => " ".repeat(found.length))

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

/** Reads a digit, which may be written with one zero before it: `5`, `五`, `05`, `零五`. */
const digitAt = (text: string, at: number) => {
  const number = numberAt(text, at)
  if (number === undefined || !/^\d$/.test(number.value)) return undefined
  const written = text.slice(at, number.end)
  return written.length <= 2 ? { ...number, hasZero: written.length === 2 } : undefined
}

/**
 * Reads `毛` and `分` behind a number, in hundredths. A last bare digit counts in the unit below, but
 * `三块零五` and `3块05` are five hundredths.
 */
const hundredthsAt = (
  text: string,
  at: number,
  isBelowYuan: boolean,
): { readonly hundredths: number; readonly end: number } | undefined => {
  const tenth = digitAt(text, at)
  if (tenth === undefined) return undefined
  const unit = partAt(text, skipSpace(text, tenth.end))
  if (unit?.code !== "CNY") {
    const hundredths = Number(tenth.value) * (tenth.hasZero ? 1 : 10)
    return isBelowYuan && at === skipSpace(text, at) ? { hundredths, end: tenth.end } : undefined
  }
  if (unit.power === 2) return { hundredths: Number(tenth.value), end: unit.end }
  const hundredth = digitAt(text, unit.end)
  const below = hundredth === undefined ? undefined : partAt(text, hundredth.end)
  const hundredths = Number(tenth.value) * 10
  // `三块五毛零五` has no meaning: what is behind 毛 stays unread.
  const isOdd = below === undefined ? hundredth?.hasZero === true : below.power === 1
  if (hundredth === undefined || isOdd) {
    return { hundredths, end: unit.end }
  }
  const end = below?.end ?? hundredth.end
  return { hundredths: hundredths + Number(hundredth.value), end }
}

const plusHundredths = (whole: string, hundredths: number): string =>
  `${whole}.${String(hundredths).padStart(2, "0").replace(/0$/, "")}`

/** Reads `四块九毛九`, `三块五`, `8元5角`, `伍佰元整`. */
const withYuanParts = (text: string, amount: FoundAmount): FoundAmount => {
  const parts = hundredthsAt(text, skipSpace(text, amount.end), true)
  const whole =
    parts === undefined
      ? amount
      : { ...amount, value: plusHundredths(amount.value, parts.hundredths), end: parts.end }
  const isFull = parts === undefined && /[整正]/.test(text.charAt(amount.end))
  return isFull ? { ...amount, end: amount.end + 1 } : whole
}

/** Reads `four dollars ninety-nine`: a number of two digits in words after the amount. */
const withSpokenCents = (text: string, amount: FoundAmount, at: number): FoundAmount => {
  const isSpoken = /[a-z]/i.test(text.charAt(at)) && hasHundredths(amount.currency)
  const number = isSpoken ? numberAt(text, at) : undefined
  return number !== undefined && /^[1-9]\d$/.test(number.value)
    ? { ...amount, value: `${amount.value}.${number.value}`, end: number.end }
    : amount
}

const AND_A_HALF = /\s+and\s+a\s+half\b(?!\s+(?:of|thousand|million|billion|lakh|crore)\b)/iy

/** Reads `a dollar and a half`. */
const withHalf = (text: string, amount: FoundAmount): FoundAmount => {
  const end = after(AND_A_HALF, text, amount.end)
  return end > amount.end && /^\d{1,2}$/.test(amount.value)
    ? { ...amount, value: `${amount.value}.5`, end }
    : amount
}

/** Adds the parts that follow a whole amount: `5 dollars and 20 cents`, `三块五`, `3块5毛`. */
const withParts = (text: string, amount: FoundAmount, codes: ReadonlySet<string>): FoundAmount => {
  if (amount.currency === undefined || amount.value.includes(".")) return amount
  if (/[块元圆钱]$/.test(text.slice(amount.start, amount.end))) {
    return amount.currency === "CNY" ? withYuanParts(text, amount) : amount
  }
  const next = after(AND, text, amount.end)
  const number = numberAt(text, next)
  if (number === undefined) return withHalf(text, amount)
  const part = partAt(text, skipSpace(text, number.end))
  const isPart =
    part?.code === undefined ? isMeantBy("cent", amount.currency) : part.code === amount.currency
  if (part !== undefined && isPart) {
    const fraction = fractionOf(number.value, part.power)
    return fraction === undefined
      ? amount
      : { ...amount, value: `${amount.value}.${fraction}`, end: part.end }
  }
  const isNext = currencyAt(text, skipSpace(text, number.end), codes) !== undefined
  return isNext ? amount : withSpokenCents(text, amount, skipSpace(text, amount.end))
}

const RENMINBI = /\s*人民币/y

const UNIT = String.raw`(?=(?:dollar|buck|euro|pound|quid|yuan|rupee|franc|peso|ringgit|baht)\b)`
const ONE = pattern("iy")`an?\s+${UNIT}`
const HALF = pattern("iy")`half\s+an?\s+${UNIT}`

/** Reads the number before a currency: `5`, or the words of `a dollar` and `half a dollar`. */
const countAt = (text: string, at: number): FoundNumber | undefined => {
  const half = after(HALF, text, at)
  if (half > at) return { value: "0.5", end: half }
  const one = after(ONE, text, at)
  return one > at ? { value: "1", end: one } : numberAt(text, at)
}

/** Reads the amount that begins at `start` of a {@link normal} text, with its parts. */
export const amountAt = (
  text: string,
  start: number,
  codes: ReadonlySet<string>,
): FoundAmount | undefined => {
  const before = currencyBefore(text, start, codes)
  if (before === "none") return undefined
  const first = before === undefined ? start : skipSpace(text, before.end)
  const number = countAt(text, first)
  if (number === undefined) return undefined
  const behind = skipSpace(text, number.end)
  const named = currencyAt(text, behind, codes)
  if (before !== undefined || named !== undefined) {
    const meant = oneOf(text, before, named && { ...named, start: behind })
    const end = named?.end ?? number.end
    if (meant === undefined) return undefined
    const { code: currency, shared } = meant
    const found = { value: number.value, currency, ...(shared && { shared }), start, end }
    const whole = withParts(text, found, codes)
    return currency === "CNY" ? { ...whole, end: after(RENMINBI, text, whole.end) } : whole
  }
  const part = partAt(text, behind)
  if (part === undefined)
    return { value: number.value, currency: undefined, start, end: number.end }
  const tenths = part.code === "CNY" ? hundredthsAt(text, first, false) : undefined
  if (tenths !== undefined) {
    const value = plusHundredths("0", tenths.hundredths)
    return { value, currency: "CNY", start, end: tenths.end }
  }
  const value = hundredth(timesPowerOfTen(number.value, 0), part.power)
  const owner: Pick<FoundAmount, "currency" | "shared"> =
    part.code === undefined ? { currency: "USD", shared: "cent" } : { currency: part.code }
  return { value, ...owner, start, end: part.end }
}

const hundredth = (value: string, power: number): string => {
  const [whole = "0", fraction = ""] = value.split(".")
  const padded = whole.padStart(power + 1, "0")
  const text = `${padded.slice(0, -power)}.${padded.slice(-power)}${fraction}`
  return text.replace(/\.?0+$/, "")
}

/**
 * Returns the amounts in a text in their order, in digits or words, in English or Chinese. Skips
 * numbers of identifiers, dates and counts. `codes` are all ISO 4217 codes.
 */
export const amountsIn = (
  given: string,
  codes: ReadonlySet<string>,
): ReadonlyArray<FoundAmount> => {
  const text = withoutOtherNumbers(normal(given))
  const found: Array<FoundAmount> = []
  for (let at = 0; at < text.length;) {
    const amount = isWordInside(text, at) ? undefined : amountAt(text, at, codes)
    if (amount !== undefined) found.push(amount)
    // A part of a run of numerals or groups that is no number names no amount either.
    const end = amount?.end ?? numeralsEnd(text, at)
    at = Math.max(end, at + 1)
  }
  return found
}

const sameDecimal = (a: string, b: string): boolean => {
  const plain = (value: string) => (value.includes(".") ? value.replace(/\.?0+$/, "") : value)
  return plain(a) === plain(b)
}

const isNamed = (
  { currency, shared }: Pick<FoundAmount, "currency" | "shared">,
  code: string,
): boolean => currency === code || isMeantBy(shared, code)

/** Tells whether the text names that amount, and the currency where one is given. */
export const namesAmount = (
  amounts: ReadonlyArray<FoundAmount>,
  amount: string,
  currency: string | undefined,
): boolean =>
  amounts.some(
    (found) =>
      sameDecimal(found.value, amount) &&
      (currency === undefined || found.currency === undefined || isNamed(found, currency)),
  )

/** Tells whether the text names that currency, with an amount or alone. */
export const namesCurrency = (
  given: string,
  amounts: ReadonlyArray<FoundAmount>,
  codes: ReadonlySet<string>,
  currency: string,
): boolean => {
  if (amounts.some((found) => isNamed(found, currency))) return true
  const text = normal(given)
  for (let at = 0; at < text.length; at++) {
    const found = currencyAt(text, at, codes)
    if (found?.code === currency || isMeantBy(found?.shared, currency)) return true
  }
  return false
}
