// Written independently of core/language on purpose: how people name amounts, and what they mean.

import type { AmountRead } from "../auditor/invariants/wordings.ts"
import type { Chance } from "../random/Chance.ts"
import { BEFORE, BEHIND, DOLLAR, type Name } from "./currencyNames.ts"
import { chinese, DIGITS, english, formal, grouped } from "./spelledNumbers.ts"

/** A text, and the amounts in it, in their order. */
export interface AmountText {
  readonly text: string
  readonly meant: ReadonlyArray<AmountRead>
}

const plain = (value: string): string =>
  value.includes(".") ? value.replace(/0+$/, "").replace(/\.$/, "") : value

/** A number as it is written, its value, and whether it is in words. */
interface Written {
  readonly text: string
  readonly value: string
  readonly isWords: boolean
  readonly isHan: boolean
}

const digits = (text: string, value = text): Written => ({
  text,
  value,
  isWords: false,
  isHan: false,
})
const words = (text: string, number: number): Written => ({
  text,
  value: String(number),
  isWords: true,
  isHan: false,
})
const han = (text: string, value: number | string): Written => ({
  text,
  value: String(value),
  isWords: true,
  isHan: true,
})

/** Draws a number in one of the ways in which people write it. */
const drawNumber = (chance: Chance): Written => {
  const small = chance.int(1, 999)
  const thousand = 1_000 * chance.int(1, 9) + chance.int(0, 999)
  const large = 1_000 * chance.int(10, 999) + chance.int(0, 999)
  const cents = String(chance.int(1, 99)).padStart(2, "0")
  const tenth = chance.int(1, 9)
  return chance.pick<() => Written>([
    () => digits(String(small)),
    () => digits(`0${small}`, String(small)),
    () => digits(`${small}.${cents}`),
    () => digits(`${small}.${tenth}`),
    () => digits(`0.${cents}`),
    () => digits(`.${cents}`, `0.${cents}`),
    () => digits(`${small},${cents}`, `${small}.${cents}`),
    () => digits(grouped(thousand, ","), String(thousand)),
    () => digits(`${grouped(thousand, ",")}.${cents}`, `${thousand}.${cents}`),
    () => digits(`${grouped(thousand, ".")},${cents}`, `${thousand}.${cents}`),
    () => digits(grouped(large, " "), String(large)),
    () => digits(`${grouped(large, ",")}.${cents}`, `${large}.${cents}`),
    () => digits(`${small}k`, String(small * 1_000)),
    () => digits(`${small % 100}.${tenth}K`, String(((small % 100) * 10 + tenth) * 100)),
    () => digits(`${small} thousand`, String(small * 1_000)),
    () => digits(`${tenth} grand`, String(tenth * 1_000)),
    () => digits(`${tenth}m`, String(tenth * 1_000_000)),
    () => digits(`${tenth}.${cents} million`, String((tenth * 100 + Number(cents)) * 10_000)),
    () => digits(`${tenth} hundred`, String(tenth * 100)),
    () => digits(`${tenth}百`, String(tenth * 100)),
    () => digits(`${tenth}千`, String(tenth * 1_000)),
    () => digits(`${small}万`, String(small * 10_000)),
    () => digits(`${tenth}.${tenth}萬`, String((tenth * 10 + tenth) * 1_000)),
    () => digits(`${tenth}亿`, String(tenth * 100_000_000)),
    () => words(english(small), small),
    () => words(english(thousand), thousand),
    () =>
      words(`${english(large / 1_000 - ((large / 1_000) % 1))} thousand`, large - (large % 1_000)),
    () => words(`a hundred and ${english(tenth)}`, 100 + tenth),
    () => words(`a thousand`, 1_000),
    () => words(`${english(tenth)} million`, tenth * 1_000_000),
    () => words(`${english(tenth)} million ${english(small)}`, tenth * 1_000_000 + small),
    () => words(`${english(small)} million`, small * 1_000_000),
    () => words(`${english(tenth)} grand`, tenth * 1_000),
    () => han(chinese(small), small),
    () => han(chinese(thousand), thousand),
    () => han(`${chinese(small)}万`, small * 10_000),
    () => han(`${chinese(tenth)}万${DIGITS.charAt(tenth)}`, tenth * 11_000),
    () => han(`${chinese(tenth)}千${DIGITS.charAt(tenth)}`, tenth * 1_100),
    () => han(`${chinese(tenth)}百${DIGITS.charAt(tenth)}`, tenth * 110),
    () => han(`${chinese(tenth)}万零${DIGITS.charAt(tenth)}`, tenth * 10_001),
    () => han(`${chinese(tenth)}亿${chinese(small)}万`, tenth * 100_000_000 + small * 10_000),
    () => han(`${chinese(small * 10)}点${DIGITS.charAt(tenth)}`, `${small * 10}.${tenth}`),
    () => han(formal(small), small),
    () => han("两百", 200),
    () => han("兩千", 2_000),
    () => han("〇", 0),
  ])()
}

const isLatin = (text: string): boolean => /^[a-z]/i.test(text)

/** Draws one amount: a number and its currency, on one side of it or on both. */
const drawNamed = (chance: Chance): AmountRead => {
  const number = drawNumber(chance)
  const [first, ...others] = BEHIND
  const [one, ...more] = BEFORE
  if (first === undefined || one === undefined) return { written: "", value: "" }
  const isBefore = !number.isWords && chance.hits(0.45)
  if (isBefore) {
    const [name, named] = chance.pick([one, ...more])
    return { written: `${name}${number.text}`, value: number.value, ...named }
  }
  const fits = ([name, { currency }]: Name): boolean => {
    // Latin letters of a number and of a currency, or Chinese ones behind them, would be one word.
    if (/[a-z]$/i.test(number.text) && /^\p{L}/u.test(name)) return false
    if (number.isHan) return !isLatin(name.trim()) || currency === "USD"
    return !number.isWords || isLatin(name.trim())
  }
  const [fitting = first, ...rest] = [first, ...others].filter(fits)
  const [name, named] = chance.pick([fitting, ...rest])
  return { written: `${number.text}${name}`, value: number.value, ...named }
}

/** Draws an amount with its hundredths in words. */
const drawParts = (chance: Chance): AmountRead => {
  const whole = chance.int(1, 400)
  const tenth = chance.int(1, 9)
  const last = chance.int(1, 9)
  const cents = chance.int(10, 99)
  const [a, b] = [DIGITS.charAt(tenth), DIGITS.charAt(last)]
  const cny = (written: string, value: string): AmountRead => ({ written, value, currency: "CNY" })
  const padded = String(last).padStart(2, "0")
  return chance.pick<AmountRead>([
    cny(`${chinese(whole)}块${a}`, `${whole}.${tenth}`),
    cny(`${whole}块零${b}`, `${whole}.0${last}`),
    cny(`${whole}块0${last}`, `${whole}.0${last}`),
    cny(`${whole}元${tenth}角`, `${whole}.${tenth}`),
    cny(`${whole}元${tenth}角${last}分`, `${whole}.${tenth}${last}`),
    cny(`${chinese(whole)}元${a}毛${b}`, `${whole}.${tenth}${last}`),
    cny(`${chinese(whole)}块${a}毛钱`, `${whole}.${tenth}`),
    cny(`${whole}块${last}分`, `${whole}.0${last}`),
    cny(`${formal(whole)}元整`, String(whole)),
    cny(`${chinese(whole)}圆正`, String(whole)),
    cny(`${whole}元人民币`, String(whole)),
    cny(`${a}毛`, `0.${tenth}`),
    cny(`${tenth}角${last}分`, `0.${tenth}${last}`),
    cny(`${b}分钱`, `0.0${last}`),
    { written: `${whole} dollars and ${cents} cents`, value: `${whole}.${cents}`, ...DOLLAR },
    { written: `$${whole} and ${last} cents`, value: `${whole}.${padded}`, ...DOLLAR },
    {
      written: `${english(whole)} dollars ${english(cents)}`,
      value: `${whole}.${cents}`,
      ...DOLLAR,
    },
    { written: `${whole} euros, ${cents} cents`, value: `${whole}.${cents}`, currency: "EUR" },
    { written: `${whole} pounds ${cents}p`, value: `${whole}.${cents}`, currency: "GBP" },
    { written: `${whole} pounds and ${cents} pence`, value: `${whole}.${cents}`, currency: "GBP" },
    { written: `${cents} cents`, value: plain(`0.${cents}`), currency: "USD", shared: "cent" },
    { written: `${cents}¢`, value: plain(`0.${cents}`), currency: "USD", shared: "cent" },
    { written: `${whole}00 cents`, value: String(whole), currency: "USD", shared: "cent" },
    { written: `${last} pence`, value: `0.0${last}`, currency: "GBP" },
    { written: "a dollar", value: "1", ...DOLLAR },
    { written: "an euro", value: "1", currency: "EUR" },
    { written: `$${whole} CAD`, value: String(whole), currency: "CAD" },
    { written: `$${whole} USD`, value: String(whole), currency: "USD" },
    { written: `CAD ${whole} dollars`, value: String(whole), currency: "CAD" },
    { written: `港币${whole}元`, value: String(whole), currency: "HKD" },
    { written: `€${whole} EUR`, value: String(whole), currency: "EUR" },
    { written: `¥${whole} JPY`, value: String(whole), currency: "JPY" },
  ])
}

/** What has digits in it and is no amount. */
const drawOther = (chance: Chance): string => {
  const n = chance.int(2, 28)
  return chance.pick([
    "pi_019c166d-b939-7000-ab06-f812e9a84a5d",
    "019c166d-b939-7000-ab06-f812e9a84a5d",
    `2026-02-${String(n).padStart(2, "0")}`,
    "2026-11",
    `12:${String(n).padStart(2, "0")}`,
    `${n}%`,
    `${n}.5 %`,
    `# ${n}`,
    `#${n}`,
    `invoice ${n}`,
    `order ${n}`,
    `no. ${n}`,
    `number ${n}`,
    `${n} days`,
    `${n} users`,
    `${n} pages`,
    `${n} requests`,
    `${n}天`,
    `${n} 个月`,
    `${chinese(n)}个人`,
    `${chinese(n)}次`,
    "一下",
    "一份",
    "x5",
    "v2",
    `0,${100 + n}`,
    "0 500",
    "一二三",
    "万",
    "百分之",
    "a day",
    "and",
  ])
}

const FRAMES: ReadonlyArray<readonly [before: string, behind: string]> = [
  ["pay ", " to Papers"],
  ["", ""],
  ["send ", " now."],
  ["给他付", ""],
  ["that is ", " in all"],
  ["(", ")"],
]

/** Draws a text with amounts, and sometimes what only looks like one. */
export const drawAmountText = (chance: Chance): AmountText => {
  const [frame = ["", ""] as const, ...frames] = FRAMES
  const [before, behind] = chance.pick([frame, ...frames])
  const one = chance.hits(0.7) ? drawNamed(chance) : drawParts(chance)
  const other = chance.hits(0.25) ? `${drawOther(chance)} ; ` : ""
  const text = `${other}${before}${one.written}${behind}`
  if (!chance.hits(0.2)) return { text, meant: [one] }
  const two = drawNamed(chance)
  return { text: `${text} ; ${two.written}`, meant: [one, two] }
}
