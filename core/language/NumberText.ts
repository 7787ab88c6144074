import { pattern } from "./Pattern.ts"
/** A number as people write it, with where it stands. `value` is an exact decimal. */
export interface FoundNumber {
  readonly value: string
  readonly end: number
}

const DIGITS = pattern("y")`
  (?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+,\d{1,2}(?!\d)|\d{1,3}(?: \d{3})+(?![\d.,])
  |\d+(?:\.\d+|,\d{1,2}(?!\d))?|\.\d+)
`

const HAN =
  /[零〇一二两兩三四五六七八九十百千万萬亿][零〇一二两兩三四五六七八九十百千万萬亿]*(?:点[零〇一二三四五六七八九]+)?/y

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
  million: 1_000_000,
}

/** Powers of ten that letters and words behind digits stand for. */
const MULTIPLIER =
  /\s?(?:(k|thousand|grand)|(m|mn|million)|(hundred))(?![\p{L}\d])|(百)|(千)|([万萬])|(亿)/iuy

const POWERS = [3, 6, 2, 2, 3, 4, 8] as const

const HAN_DIGITS = "零一二三四五六七八九"
const HAN_UNITS: { readonly [unit: string]: number } = { 十: 10, 百: 100, 千: 1_000 }
const HAN_BLOCKS: { readonly [block: string]: number } = { 万: 10_000, 萬: 10_000, 亿: 100_000_000 }

const hanDigit = (character: string): number =>
  character === "〇"
    ? 0
    : character === "两" || character === "兩"
      ? 2
      : HAN_DIGITS.indexOf(character)

/** `一万二` is twelve thousand: a last digit counts in the unit below the one before it. */
const hanWhole = (text: string): number => {
  let total = 0
  let section = 0
  let digit = 0
  let unit = 1
  for (const character of text) {
    const block = HAN_BLOCKS[character]
    const power = HAN_UNITS[character]
    if (block !== undefined) {
      total = (total + section + digit) * block
      section = 0
      digit = 0
      unit = block
    } else if (power !== undefined) {
      section += (digit === 0 ? 1 : digit) * power
      digit = 0
      unit = power
    } else {
      digit = hanDigit(character)
      if (digit === 0) unit = 1
    }
  }
  return total + section + (unit >= 100 ? (digit * unit) / 10 : digit)
}

const hanNumber = (text: string): string => {
  const [whole = "", fraction] = text.split("点")
  const value = String(hanWhole(whole))
  if (fraction === undefined) return value
  return `${value}.${[...fraction].map(hanDigit).join("")}`
}

/** The decimal with its point moved to the right. */
export const timesPowerOfTen = (decimal: string, power: number): string => {
  const [whole = "0", fraction = ""] = decimal.split(".")
  const padded = fraction.padEnd(power, "0")
  const moved = `${whole}${padded.slice(0, power)}`.replace(/^0+(?=\d)/, "")
  const rest = padded.slice(power)
  return rest === "" ? moved : `${moved}.${rest}`
}

const plainDigits = (text: string): string => {
  const spaceless = text.replaceAll(" ", "")
  const european = /^\d{1,3}(\.\d{3})+,\d{1,2}$|^\d+,\d{1,2}$/.test(spaceless)
  const plain = european
    ? spaceless.replaceAll(".", "").replace(",", ".")
    : spaceless.replaceAll(",", "")
  return (plain.startsWith(".") ? `0${plain}` : plain).replace(/^0+(?=\d)/, "")
}

const matchAt = (sticky: RegExp, text: string, at: number): RegExpExecArray | null => {
  sticky.lastIndex = at
  return sticky.exec(text)
}

const WORD = /(?:[\s-]*(?:and\s+)?)?([a-z]+)/iy

const english = (text: string, at: number): FoundNumber | undefined => {
  let end = at
  let total = 0
  let section = 0
  let isAny = false
  for (let from = at; ;) {
    const found = matchAt(WORD, text, from)
    const word = found?.[1]?.toLowerCase()
    if (found === null || word === undefined || (from === at && found[0] !== found[1])) break
    const small = SMALL[word] ?? TENS[word]
    const scale = SCALES[word]
    const article = (word === "a" || word === "an") && !isAny
    if (small === undefined && scale === undefined && !article) break
    if (article) {
      const next = matchAt(WORD, text, from + found[0].length)?.[1]?.toLowerCase() ?? ""
      if (SCALES[next] === undefined) break
      section = 1
    } else if (small !== undefined) section += small
    else if (scale === 100) section = Math.max(section, 1) * 100
    else if (scale !== undefined) {
      total += Math.max(section, 1) * scale
      section = 0
    }
    isAny = true
    from += found[0].length
    end = from
  }
  return isAny ? { value: String(total + section), end } : undefined
}

/**
 * The number that begins at `at`, in digits, in English words or in Chinese; with its multiplier.
 * Undefined where none does.
 */
export const numberAt = (text: string, at: number): FoundNumber | undefined => {
  const digits = matchAt(DIGITS, text, at)
  if (digits !== null) {
    const end = at + digits[0].length
    const multiplier = matchAt(MULTIPLIER, text, end)
    const group = multiplier === null ? -1 : multiplier.slice(1).findIndex(Boolean)
    const value = plainDigits(digits[0])
    return multiplier === null || group < 0
      ? { value, end }
      : { value: timesPowerOfTen(value, POWERS[group] ?? 0), end: end + multiplier[0].length }
  }
  const han = matchAt(HAN, text, at)
  if (han !== null) return { value: hanNumber(han[0]), end: at + han[0].length }
  return english(text, at)
}
