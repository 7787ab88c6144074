import type { FoundAmount } from "./AmountText.ts"
import { currencyAt } from "./CurrencyText.ts"
import { hasUnclearPoint } from "./DigitText.ts"
import { pattern } from "./Pattern.ts"

/** Signs and words before an amount that change it, and a mark that belongs to its number. */
const BEFORE = pattern("iu")`
  (?:(?:[~≈<>=≤≥±*×÷/+^]|\b(?:negative|over|under|above|below|about|around|circa|roughly|almost
  |approximately|nearly|max|min|another|extra|additional|quadruple|times|x))\s*
  |(?:^|[\p{N}\s])['’.,·:])$
`

/** The same behind an amount. */
const BEHIND = pattern("iu")`
  ^(?:(?!\p{Script=Han})[\p{L}\p{N}]|['’.,·:]\p{N}|\s*(?:[~<>=≤≥±*×÷/+^%]|(?:x ?\d|max|min|more
  |extra|off|net|gross|per|or (?:so|more|less)|squared|times|lakhs?|crores?|thousand|million
  |billion|trillion)\b|an? (?:head|person|piece|day|week|month|quarter|year|hour)\b))
`

/** What may stand between two numbers of one amount: `5 or 6 USD`, `five point five USD`. */
const JOINS =
  /^[^\p{L}\p{N}]*(?:(?:and|and a|or|to|point|oh|x|times|by)[^\p{L}\p{N}]+|[到至或]者?)?$/iu

/** The same behind the amount; `5 USD to 7` may name whom to pay. */
const JOINS_BEHIND =
  /^[^\p{L}\p{N}]*(?:(?:and|and a|or|point|x|times|by)[^\p{L}\p{N}]+|[到至或]者?)?$/iu

const isCurrencyBefore = (text: string, codes: ReadonlySet<string>): boolean => {
  const [word = ""] = /\S+\s*$/u.exec(text) ?? []
  const at = text.length - word.length
  return currencyAt(text, at, codes)?.end === at + word.trimEnd().length
}

const isCurrencyBehind = (text: string, end: number, codes: ReadonlySet<string>): boolean => {
  const [blank = ""] = /^[\s(]*/u.exec(text.slice(end)) ?? []
  return currencyAt(text, end + blank.length, codes) !== undefined
}

/**
 * Tells whether a sign, a word, a number or a currency beside an amount may change it:
 * `5 or 6 USD`, `~5 USD`, `5 USD/month`, `nineteen ninety-nine USD`. `amounts` are all amounts of
 * the text.
 */
export const isChangedBeside = (
  text: string,
  { currency, end, start, value }: FoundAmount,
  amounts: ReadonlyArray<FoundAmount>,
  codes: ReadonlySet<string>,
): boolean => {
  const before = text.slice(0, start)
  const numbers = amounts.filter((other) => other.currency === undefined)
  return (
    // Whoever writes `1.250k` hardly means a million: this is asked for by its words alone.
    (value.includes(".") && hasUnclearPoint(text.slice(start, end), { currency, value })) ||
    BEFORE.test(before) ||
    BEHIND.test(text.slice(end)) ||
    isCurrencyBefore(before, codes) ||
    isCurrencyBehind(text, end, codes) ||
    numbers.some(
      (number) =>
        (number.end <= start && JOINS.test(text.slice(number.end, start))) ||
        (number.start >= end && JOINS_BEHIND.test(text.slice(end, number.start))),
    )
  )
}
