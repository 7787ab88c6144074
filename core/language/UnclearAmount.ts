import { amountsIn, type FoundAmount, withoutOtherNumbers } from "./grammar/AmountText.ts"
import { isChangedBeside } from "./grammar/BesideAmount.ts"
import { hasRaised, normal } from "./grammar/Normal.ts"
import type { Order } from "./grammar/Order.ts"
import { pattern } from "./grammar/Pattern.ts"
import { readable } from "./grammar/Tokens.ts"
import type { Entities } from "./Understanding.ts"

/** Words that change the amount that they stand with. */
const CHANGES = pattern("iu")`
  \d\s?%|\b(?:per ?cent|pct)\b|\bhal(?:f|ves)\b|\b(?:an?|one|two|three|four)[ -](?:third|quarter
  |fifth|tenth)s?\b|\b(?:keep(?:ing)?|except|excluding|minus|plus|each|apiece|up to|between)\b
  |(?<!\b(?:charged|billed|paid) )\b(?:double|twice|triple)\b(?![- ]?(?:charg|bill|paid))
  |\b(?:at most|at least|maximum|minimum|(?:more|less) than|less)\b|半(?!年|月|天|日|小时)|百分之
  |[一二两三四五六七八九十\d]\s?(?:分之|成|折|倍)|翻倍|保留|扣除|扣掉|减去|加上|除了|最多|至多
  |最少|至少|不超过|不少于|每人|各付|左右|大约|大概|[元块]多|[来几多][元块]
`

/** Words for a part of an amount, and for money that is not counted: `a few dollars`, `五六元`. */
const UNCOUNTED = pattern("iu")`
  \bpart(?:ial|ially| of)\b|部分|\b(?:dollars|bucks|euros|pounds|quid|cents|pence|rupees|francs
  |pesos|fiver|tenner|quarters|dimes|nickels)\b|[元块毛角]|(?<![\p{L}\p{N}_-])\p{N}[\p{N}.,'’]*
  (?![\p{L}\p{N}_-])
`

/** Patterns with digits that are not one amount: `-5`, `1.5e3`, `5 to 10`, `5 or 500`, `0,500`. */
const ODD_NUMBERS = pattern("iu")`
  (?:^|[^\p{L}\p{N}_.-])[-\u2212+]\p{Sc}?\d|\p{Sc}\s?[-\u2212]\s?\d|\d[eE][-+]?\d
  |\d\s?(?:[-\u2013~]|to|or|到|至|或者?)\s?\p{Sc}?\s?\d|(?<![\p{L}\p{N}.,])0\d*[,\x20]\d{3}(?!\d)
`

/** Characters beside a digit. */
const BESIDE_DIGITS = /(?<=\d\s?)[^\d\s]|[^\d\s](?=\s?\d)/gu

const without = (text: string, part: string | undefined): string =>
  part === undefined ? text : text.replaceAll(part, " ")

/** Returns the text without amounts such as `half a dollar`, which are no share. */
const withoutHalves = (text: string, amounts: ReadonlyArray<FoundAmount>): string =>
  amounts
    .map(({ end, start }) => text.slice(start, end))
    .filter((written) => /half/i.test(written))
    .reduce((left, written) => left.replace(written, " "), text)

const isMoney = ({ currency }: FoundAmount): boolean => currency !== undefined

/** Returns the amounts that have a currency, without duplicates. */
export const moneyIn = (amounts: ReadonlyArray<FoundAmount>): ReadonlyArray<FoundAmount> => {
  const byText = new Map(
    amounts.filter(isMoney).map((found) => [`${Number(found.value)} ${found.currency}`, found]),
  )
  return [...byText.values()]
}

/**
 * Tells whether a text names an amount unclearly: several amounts, a share, a range, raised digits,
 * something beside it that may change it, or an amount that `kept` lacks. No price and no full
 * refund may then be assumed. Names and reasons are not searched for amounts.
 */
export const amountIsUnclear = (
  text: string,
  amounts: ReadonlyArray<FoundAmount>,
  kept: Entities,
  codes: ReadonlySet<string>,
): boolean => {
  const whole = normal(text)
  const rest = without(without(whole, kept.service), kept.reason)
  const found = rest === whole ? amounts : amountsIn(rest, codes)
  const named = moneyIn(found)
  return (
    named.length > 1 ||
    (named.length === 1 && kept.amount === undefined) ||
    named.some((amount) => isChangedBeside(rest, amount, found, codes)) ||
    CHANGES.test(withoutHalves(rest, named)) ||
    hasRaised(rest) ||
    (kept.amount === undefined && UNCOUNTED.test(withoutOtherNumbers(rest))) ||
    // What stands outside of all amounts is easily taken for a part of the name before it.
    ODD_NUMBERS.test(withoutOtherNumbers(whole)) ||
    hasRaised(whole.match(BESIDE_DIGITS)?.join("") ?? "")
  )
}

/** A number in groups of three digits; no amount begins with a group of zeros. */
const GROUPS = /^\s*(\d{1,3} [1-9]\d{2}(?: \d{3})*)(?!\d)/u

/**
 * Returns the number in groups that stands behind the unquoted name of an order: the first groups
 * of `Area 51 100 JPY` may belong to the name. Undefined where there is none.
 */
export const groupsBehindName = (text: string, { amount, service }: Order): string | undefined => {
  if (amount === undefined || service === undefined) return undefined
  const name = service.replace(/(?:\s+\d{1,3})+$/u, "")
  const [, ...rests] = readable(text).split(name)
  return rests.map((rest) => GROUPS.exec(rest)?.[1]).find(Boolean)
}

const ONE_COMMA = /(?<![\d.,])\d{1,3},\d{3}(?![.,]?\d)/gu

/**
 * Returns the number of an order whose comma may separate its decimals: `1,234` of a currency with
 * three decimals is a thousand, or one and a part. Undefined where there is none.
 */
export const commaNumber = (text: string, { amount }: Order): string | undefined =>
  readable(text)
    .match(ONE_COMMA)
    ?.find((written) => written.replace(",", "") === amount)
