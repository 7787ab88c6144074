const ONES =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen " +
  "sixteen seventeen eighteen nineteen"
const SMALL = ONES.split(" ")
const TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety".split(" ")

/** Spells a number below ten thousand in English. */
export const english = (number: number): string => {
  if (number >= 1_000) {
    const rest = number % 1_000
    const joined = rest === 0 ? "" : `${rest < 100 ? " and" : ""} ${english(rest)}`
    return `${english(Math.floor(number / 1_000))} thousand${joined}`
  }
  if (number >= 100) {
    const rest = number % 100
    return `${SMALL[Math.floor(number / 100)]} hundred${rest === 0 ? "" : ` and ${english(rest)}`}`
  }
  if (number < 20) return SMALL[number] ?? ""
  return `${TENS[Math.floor(number / 10)]}${number % 10 === 0 ? "" : `-${SMALL[number % 10]}`}`
}

/** The digits in Chinese. */
export const DIGITS = "零一二三四五六七八九"
const UNITS = ["", "十", "百", "千"] as const

/** Spells a number from one to 9,999 in Chinese. */
export const chinese = (number: number): string => {
  const digits = [...String(number)].map(Number)
  let text = ""
  for (const [n, digit] of digits.entries()) {
    const unit = UNITS[digits.length - 1 - n] ?? ""
    if (digit !== 0) text += `${DIGITS.charAt(digit)}${unit}`
    else if (!text.endsWith("零")) text += "零"
  }
  return text.replace(/零$/, "").replace(/^一十/, "十")
}

/** Writes a number with separators between thousands. */
export const grouped = (number: number, separator: string): string =>
  String(number).replace(/\B(?=(\d{3})+$)/g, separator)

/** Numerals as on cheques. */
const FORMAL = new Map(
  [..."零一二三四五六七八九十百千"].map((plain, n) => {
    return [plain, "零壹贰叁肆伍陆柒捌玖拾佰仟".charAt(n)] as const
  }),
)

/** Spells a number in the numerals of cheques. */
export const formal = (number: number): string =>
  [...chinese(number)].map((plain) => FORMAL.get(plain) ?? plain).join("")
