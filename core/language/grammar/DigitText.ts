import { hasThreeDecimals } from "./CurrencyText.ts"
import { pattern } from "./Pattern.ts"

/** A number in digits; `value` is an exact decimal, undefined where the digits form no number. */
export interface FoundDigits {
  readonly value: string | undefined
  readonly end: number
}

/** Not within a longer run of digits. */
const BEGINS = String.raw`(?<!\d[.,'’]?)`

/** Digits with marks between them; a dash stands for no cents: `5.-`, `5,--`. */
const RUN = pattern("y")`
  ${BEGINS}(?:\d+(?:[.,'’]\d+)*(?:[.,](?:--?|[–—])(?![\d–—-]))?|(?<!\.)\.\d+(?![.,'’]?\d))
`

/** Groups of three with blanks between them: `1 000,50`. */
const SPACED = pattern("y")`${BEGINS}\d{1,3}(?: \d{3})+(?:[.,]\d+)?(?!\d|[.,'’]\d)`

const NO_CENTS = /[.,](?:--?|[–—])$/

/**
 * The forms of one number: `5`, `5.25`, `5,2`, and with marks between groups `1,234.5`, `1.234,5`,
 * `1.234.567`, `1'234.50`, `1 234,50`, in India `12,34,567.8`. No group of zeros is first.
 */
const FORMS = pattern("")`
  ^(?:\d*(?:\.\d+)?|\d+,\d{1,2}|[1-9]\d{0,2}(?:(?:,\d{3})+(?:\.\d+)?|(?:\.\d{3})+,\d+
  |(?:\.\d{3}){2,}|(?:['’]\d{3})+(?:\.\d+|,\d{1,2})?|(?: \d{3})+(?:[.,]\d+)?)
  |[1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d+)?)$
`

/** A whole number whose last mark separates groups. */
const WHOLE = /^(?:\d+|\d{1,3}(?:,\d{3})+|\d{1,3}(?:\.\d{3}){2,}|\d{1,2}(?:,\d{2})+,\d{3})$/

const plain = (written: string): string => {
  const point = WHOLE.test(written) ? -1 : written.search(/[.,](?=\d*$)/)
  const whole = (point < 0 ? written : written.slice(0, point)).replaceAll(/\D/g, "")
  const fraction = point < 0 ? "" : `.${written.slice(point + 1)}`
  return `${whole.replace(/^0+(?=\d)/, "") || "0"}${fraction}`
}

const matchAt = (sticky: RegExp, text: string, at: number): string | undefined => {
  sticky.lastIndex = at
  return sticky.exec(text)?.[0]
}

/** Reads all digits of the number that begins at `at`; undefined where none begins. */
export const digitsAt = (text: string, at: number): FoundDigits | undefined => {
  const run = matchAt(SPACED, text, at) ?? matchAt(RUN, text, at)
  if (run === undefined) return undefined
  const written = run.replace(NO_CENTS, "")
  return { value: FORMS.test(written) ? plain(written) : undefined, end: at + run.length }
}

/**
 * Three digits behind a point, or behind a comma after other marks: `1.250`, `1500.000`,
 * `1.000,500`. Whoever writes marks carelessly means thousands by them.
 */
const UNCLEAR_POINT = pattern("")`
  (?<!\d[ .,'’]?)0*[1-9]\d*(?:(?:[,'’ ]\d{3})*\.|(?:[.'’ ]\d{3})+,)\d{3}(?!\d|[.,'’]\d)
`

/**
 * Tells whether a mark in an amount may separate thousands or decimals: `1.250` is a thousand in
 * some countries and one in others. `0.250` is clear, and a currency of three decimals is written
 * with all of them; but `100.000` of it may be a hundred or a hundred thousand.
 */
export const hasUnclearPoint = (
  written: string,
  { currency, value }: { readonly currency: string | undefined; readonly value: string },
): boolean =>
  UNCLEAR_POINT.test(written) && !(hasThreeDecimals(currency) && /\.(?!000)\d{3}$/.test(value))
