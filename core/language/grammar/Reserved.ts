import { tokensOf } from "./Tokens.ts"

/**
 * Words that change what an order means: when, whether, by whom and how much. No unquoted name
 * contains one. Otherwise a seller could register the name "Weather on Friday" and be paid for
 * orders that name a day.
 */
const RESERVED = `
  if unless whether provided assuming suppose supposing once until till when whenever while
  otherwise before after tomorrow yesterday tonight today later soon monday tuesday wednesday
  thursday friday saturday sunday next last every each again noon midnight starting hours
  minutes days weeks months years as plan plans subscription membership not no never dont don
  't without instead except but then else from because twice thrice minus plus percent times
  roughly about approximately maybe perhaps possibly probably actually sorry wait oops scratch
  stop and or me us my your his her our their you he she they i pay buy send transfer refund void
  cancel subscribe
`

/** The Chinese counterparts. */
const RESERVED_HAN = `
  如果 要是 假如 倘若 除非 只要 万一 等到 以后 之后 之前 明天 昨天 后天 今晚 今天 下周 下个月 周一 周二
  周三 周四 周五 周六 周日 每天 每周 每月 每年 定期 晚点 不要 不用 别 不是 不对 最多 至少 大约 左右 或者 或是
  一半 两倍 百分之 然后 顺便 同时 先 再 但 付给 退款
  和 跟 与 什么 怎么 谁 哪 有没有 多少 逾期 会员 套餐
`

const wordsOf = (text: string): ReadonlyArray<string> => text.split(/\s+/).filter(Boolean)

const LATIN: ReadonlySet<string> = new Set(wordsOf(RESERVED))
const HAN = wordsOf(RESERVED_HAN).map((phrase) => tokensOf(phrase).map(({ text }) => text))

/** Words that connect to the next word; no name begins or ends with one. */
const LEADING: ReadonlySet<string> = new Set(wordsOf("on of at for with to in by 's"))

/** Articles and adverbs of frequency, with which no name ends. */
const NOT_LAST: ReadonlySet<string> = new Set(
  wordsOf("the a an daily weekly monthly quarterly yearly annually"),
)

/** Words that change the amount behind them: `pay double 5 USD`, `pay only 5 USD` name nobody. */
const CHANGING: ReadonlySet<string> = new Set(
  wordsOf(`
    half double triple quadruple exactly only just nearly almost another extra additional negative
    over under above below around more less than max maximum min minimum approx circa ca
  `),
)

/** Words that belong to a verb: `pay back 5 USD` and `pay up 5 USD` name nobody. */
const PARTICLES: ReadonlySet<string> = new Set(wordsOf("back up down out off away forward along"))

/** Tells whether an unquoted name can begin with the word. */
export const canBegin = (text: string): boolean => !LEADING.has(text)

/** Tells whether an unquoted name can end with the word. */
export const canEnd = (text: string): boolean => !LEADING.has(text) && !NOT_LAST.has(text)

/** Tells whether the word changes an amount behind it, so that no name ends with it there. */
export const changesAmount = (text: string): boolean => CHANGING.has(text)

/** Tells whether the words are no name, since they only change an amount or belong to a verb. */
export const namesNobody = (texts: ReadonlyArray<string>): boolean =>
  texts.every((text) => CHANGING.has(text) || PARTICLES.has(text))

/** Returns how many tokens from `at` on form a reserved word; 0 where none begins. */
export const reservedAt = (texts: ReadonlyArray<string>, at: number): number => {
  if (LATIN.has(texts[at] ?? "")) return 1
  const fits = HAN.find((phrase) => phrase.every((part, index) => texts[at + index] === part))
  return fits?.length ?? 0
}
