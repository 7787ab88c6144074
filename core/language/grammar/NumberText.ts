import { digitsAt } from "./DigitText.ts"
import { pattern } from "./Pattern.ts"

/** A number in a text, and where it ends. `value` is an exact decimal. */
export interface FoundNumber {
  readonly value: string
  readonly end: number
}

const NUMERAL = "零〇一二两兩三四五六七八九十百千万萬亿億壹贰貳叁參肆伍陆陸柒捌玖拾佰仟"

/** Tells whether a character is a Chinese numeral. */
export const isNumeral = (character: string): boolean =>
  character !== "" && NUMERAL.includes(character)

const RUN = new RegExp(`[${NUMERAL}]*`, "y")

/**
 * Returns where the digits or the run of Chinese numerals end that begin at `at`: `at` itself
 * without any.
 */
export const numeralsEnd = (text: string, at: number): number => {
  RUN.lastIndex = at
  return digitsAt(text, at)?.end ?? at + (RUN.exec(text)?.[0].length ?? 0)
}

const HAN = new RegExp(`[${NUMERAL}]+(?:[点點][零〇一二三四五六七八九]+)?`, "y")

const SMALL: { readonly [word: string]: number } = Object.fromEntries(
  (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen " +
    "fifteen sixteen seventeen eighteen nineteen"
  )
    .split(" ")
    .map((word, value) => [word, value]),
)

const TENS: { readonly [word: string]: number } = Object.fromEntries(
  "twenty thirty forty fifty sixty seventy eighty ninety"
    .split(" ")
    .map((word, index) => [word, (index + 2) * 10]),
)

const SCALES: { readonly [word: string]: number } = {
  hundred: 100,
  thousand: 1_000,
  grand: 1_000,
  lakh: 100_000,
  lakhs: 100_000,
  million: 1_000_000,
  crore: 10_000_000,
  crores: 10_000_000,
  billion: 1_000_000_000,
}

/** Letters and words behind digits that stand for powers of ten. */
const MULTIPLIER = pattern("iuy")`
  \s?(?:(k|thousand|grand)|(m|mn|million)|(hundred)|(lakhs?|lacs?)|(crores?)|(bn|billion))
  (?![\p{L}\d])|(百)|(千)|([万萬])|(亿)
`

const POWERS = [3, 6, 2, 5, 7, 9, 2, 3, 4, 8] as const

/** Numerals as on cheques and in traditional script, and their plain counterparts. */
const FORMAL = [..."〇两兩萬億壹贰貳叁參肆伍陆陸柒捌玖拾佰仟點"]
const PLAIN = [..."零二二万亿一二二三三四五六六七八九十百千点"]
const PLAIN_BY_FORMAL = new Map(FORMAL.map((formal, index) => [formal, PLAIN[index] ?? formal]))

const HAN_DIGITS = "零一二三四五六七八九"
const HAN_UNITS: { readonly [unit: string]: number } = { 十: 10, 百: 100, 千: 1_000 }
const HAN_BLOCKS: { readonly [block: string]: number } = { 万: 10_000, 亿: 100_000_000 }

/**
 * Reads Chinese numerals: `一万二` is twelve thousand, since a last digit counts in the unit below the
 * one before it. Returns undefined where the order of digits or units is invalid.
 */
const hanWhole = (text: string): number | undefined => {
  let [total, section, digit, unit] = [0, 0, 0, 1]
  let [lowestUnit, lowestBlock] = [10_000, Number.POSITIVE_INFINITY]
  let isDigit = false
  for (const character of text) {
    const block = HAN_BLOCKS[character]
    const power = HAN_UNITS[character]
    if (block !== undefined) {
      if (block >= lowestBlock || section + digit === 0) return undefined
      total += (section + digit) * block
      ;[section, digit, unit, lowestUnit, lowestBlock] = [0, 0, block, 10_000, block]
    } else if (power !== undefined) {
      if (power >= lowestUnit) return undefined
      section += (digit === 0 ? 1 : digit) * power
      ;[digit, unit, lowestUnit] = [0, power, power]
    } else {
      const next = HAN_DIGITS.indexOf(character)
      if (isDigit && digit !== 0) return undefined
      if (next === 0) unit = 1
      digit = next
    }
    isDigit = block === undefined && power === undefined
  }
  return total + section + (unit >= 100 ? (digit * unit) / 10 : digit)
}

const hanNumber = (written: string): string | undefined => {
  const text = [...written].map((character) => PLAIN_BY_FORMAL.get(character) ?? character).join("")
  const [whole = "", fraction] = text.split("点")
  const value = hanWhole(whole)
  if (value === undefined || fraction === undefined) return value?.toString()
  return `${value}.${[...fraction].map((digit) => HAN_DIGITS.indexOf(digit)).join("")}`
}

/** Moves the decimal point to the right. */
export const timesPowerOfTen = (decimal: string, power: number): string => {
  const [whole = "0", fraction = ""] = decimal.split(".")
  const padded = fraction.padEnd(power, "0")
  const moved = `${whole}${padded.slice(0, power)}`.replace(/^0+(?=\d)/, "")
  const rest = padded.slice(power)
  return rest === "" ? moved : `${moved}.${rest}`
}

const matchAt = (sticky: RegExp, text: string, at: number): RegExpExecArray | null => {
  sticky.lastIndex = at
  return sticky.exec(text)
}

const WORD = /(?:[\s-]*(?:and\s+)?)?([a-z]+)/iy

/** Tells whether a word may follow another: `four ninety-nine` is not one number. */
const follows = (word: string, before: string | undefined): boolean => {
  const small = SMALL[word]
  const scale = SCALES[word]
  const isNumber = small !== undefined || TENS[word] !== undefined
  if (before === undefined) return isNumber
  if (scale !== undefined) return scale > (SCALES[before] ?? 0) || before in SMALL || before in TENS
  if (before in SCALES) return isNumber
  return before in TENS && small !== undefined && small > 0 && small < 10
}

const english = (text: string, at: number): FoundNumber | undefined => {
  let end = at
  let [total, section, lowest] = [0, 0, Number.POSITIVE_INFINITY]
  let before: string | undefined
  for (let from = at; ;) {
    const found = matchAt(WORD, text, from)
    const word = found?.[1]?.toLowerCase()
    if (found === null || word === undefined || (from === at && found[0] !== found[1])) break
    from += found[0].length
    if (before === undefined && (word === "a" || word === "an")) {
      if (SCALES[matchAt(WORD, text, from)?.[1]?.toLowerCase() ?? ""] === undefined) break
      before = "one"
      section = 1
      continue
    }
    const isJoined = /and\s+\S+$/i.test(found[0])
    if (!follows(word, before) || (isJoined && SCALES[before ?? ""] === undefined)) break
    const scale = SCALES[word]
    if (scale === undefined) section += SMALL[word] ?? TENS[word] ?? 0
    else if (scale === 100) section *= 100
    else {
      if (scale >= lowest) break
      total += section * scale
      ;[section, lowest] = [0, scale]
    }
    before = word
    end = from
  }
  return end > at ? { value: String(total + section), end } : undefined
}

const HALF = /half\s+an?(?=\s+(?:thousand|million|billion|lakh|crore)\b)/iy
const AND_A_HALF = /\s+and\s+a\s+half(?=\s)/iy

/** Reads `and a half` behind a number below a hundred. */
const withHalf = (text: string, { end, value }: FoundNumber): FoundNumber => {
  const half = /^\d{1,2}$/.test(value) ? matchAt(AND_A_HALF, text, end) : null
  return half === null ? { value, end } : { value: `${value}.5`, end: end + half[0].length }
}

/** Reads the power of ten behind a number: `5k`, `1.5 million`, `5 lakh`. */
const withMultiplier = (text: string, { end, value }: FoundNumber): FoundNumber => {
  const multiplier = matchAt(MULTIPLIER, text, end)
  const group = multiplier === null ? -1 : multiplier.slice(1).findIndex(Boolean)
  return multiplier === null || group < 0
    ? { value, end }
    : { value: timesPowerOfTen(value, POWERS[group] ?? 0), end: end + multiplier[0].length }
}

/**
 * Reads the number that begins at `at`, in digits, in English words or in Chinese, with its
 * multiplier. Returns undefined where no number begins.
 */
export const numberAt = (text: string, at: number): FoundNumber | undefined => {
  const digits = digitsAt(text, at)
  if (digits !== undefined) {
    const { end, value } = digits
    return value === undefined ? undefined : withMultiplier(text, withHalf(text, { value, end }))
  }
  const han = matchAt(HAN, text, at)
  if (han !== null) {
    const value = hanNumber(han[0])
    return value === undefined ? undefined : { value, end: at + han[0].length }
  }
  const half = matchAt(HALF, text, at)
  if (half !== null) return withMultiplier(text, { value: "0.5", end: at + half[0].length })
  const words = english(text, at)
  const halved = words && withHalf(text, words)
  return halved?.end === words?.end || halved === undefined ? words : withMultiplier(text, halved)
}
