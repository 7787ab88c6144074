import type { Money } from "../../core/shared/Money.ts"
import type { Chance } from "../random/Chance.ts"
import { chinese, DIGITS, english, formal, grouped } from "./spelledNumbers.ts"

/** An amount, and words that name it. */
export interface SpokenAmount {
  readonly money: Money
  readonly text: string
  /** The only language whose sentences have such words; both have digits and signs. */
  readonly language: Language | undefined
}

type Language = "English" | "Chinese"

/** Names an amount of whole units and hundredths; without hundredths, of whole units alone. */
type Form = readonly [
  currency: string,
  words: (whole: number, hundredths: string) => string,
  language?: Language,
]

const WITH_HUNDREDTHS: readonly [Form, ...ReadonlyArray<Form>] = [
  ["USD", (whole, part) => `$${whole}.${part}`],
  ["USD", (whole, part) => `US$${grouped(whole, ",")}.${part}`],
  ["USD", (whole, part) => `USD ${grouped(whole, ",")}.${part}`],
  ["USD", (whole, part) => `${whole} dollars and ${Number(part)} cents`, "English"],
  ["USD", (whole, part) => `${english(whole)} dollars and ${english(+part)} cents`, "English"],
  ["USD", (whole, part) => `${english(whole)} dollars ${english(Number(part))}`, "English"],
  ["EUR", (whole, part) => `${grouped(whole, ".")},${part} €`, "English"],
  ["EUR", (whole, part) => `${english(whole)} euros ${Number(part)} cents`, "English"],
  ["CNY", (whole, part) => `${whole}.${part}元`, "Chinese"],
  ["CNY", (all, [a, b]) => `${chinese(all)}块${DIGITS.charAt(Number(a))}毛${b}分`, "Chinese"],
  ["CNY", (whole, part) => `${whole}元${part[0]}角${part[1]}分`, "Chinese"],
]

const WHOLE: readonly [Form, ...ReadonlyArray<Form>] = [
  ["USD", (whole) => `$${grouped(whole, ",")}`],
  ["USD", (whole) => `${grouped(whole, " ")} dollars`, "English"],
  ["USD", (whole) => `${english(whole)} bucks`, "English"],
  ["USD", (whole) => `${whole / 1_000}k USD`, "English"],
  ["USD", (whole) => `${chinese(whole)}美元`, "Chinese"],
  ["EUR", (whole) => `€${whole}`],
  ["EUR", (whole) => `${english(whole)} euros`, "English"],
  ["CNY", (whole) => `${chinese(whole)}块钱`, "Chinese"],
  ["CNY", (whole) => `${formal(whole)}元整`, "Chinese"],
  ["CNY", (whole) => `人民币${whole}元`, "Chinese"],
  ["CNY", (whole) => `${whole / 10_000}万元`, "Chinese"],
]

/**
 * Draws an amount and words for it, in digits or words, with the separators and names that people
 * use. `n`, of two digits, makes it another amount than that of any other number.
 */
export const drawAmount = (n: number, chance: Chance): SpokenAmount => {
  const hundreds = 100 * chance.int(0, 30)
  if (chance.hits(0.5)) {
    const [currency, words, language] = chance.pick(WITH_HUNDREDTHS)
    const whole = hundreds + 1
    return { money: { currency, value: 100 * whole + n }, text: words(whole, String(n)), language }
  }
  const [currency, words, language] = chance.pick(WHOLE)
  const whole = hundreds + n
  return { money: { currency, value: 100 * whole }, text: words(whole, "00"), language }
}
