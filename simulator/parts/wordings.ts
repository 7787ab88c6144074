import { Effect } from "effect"
import { amountsIn } from "../../core/language/grammar/AmountText.ts"
import { readOrder } from "../../core/language/grammar/Reading.ts"
import { wordingRules } from "../auditor/invariants/wordings.ts"
import type { Part, Scene } from "../world/Stage.ts"
import { drawAmountText } from "./amountWords.ts"
import { drawOrderText } from "./orderWords.ts"
import { unclearWords } from "./unclearWords.ts"

/** The codes of the currencies that the texts name. */
const CODES: ReadonlySet<string> = new Set(
  (
    "USD EUR CNY JPY KWD GBP HKD SGD AUD CAD TWD BRL INR KRW THB PHP VND MYR IDR CHF NZD ZAR NOK " +
    "ALL TRY"
  ).split(" "),
)

const TEXTS = 70
const ORDERS = 50

const say = ({ auditor, hears, stage }: Scene): void => {
  const chance = stage.chance("wordings")
  for (let n = 0; n < TEXTS; n += 1) {
    const { meant, text } = drawAmountText(chance)
    const read = amountsIn(hears(text), CODES).map(({ currency, end, shared, start, value }) => ({
      written: hears(text).slice(start, end),
      value,
      currency,
      shared,
    }))
    auditor.see("amounts_read", text, { text, meant, read })
  }
  for (let n = 0; n < ORDERS; n += 1) {
    const { meant, text } = drawOrderText(chance)
    const { orders, unread } = readOrder(hears(text), CODES)
    const read = orders.map((order) => ({ ...order }))
    auditor.see("orders_read", text, { text, meant, read, unread })
  }
  for (const one of unclearWords(chance, CODES)) auditor.see("words_judged", one.what, one)
}

/** People who name amounts and give orders in many words, of which nothing is carried out. */
export const wordings: Part = {
  name: "wordings",
  heavy: 0.1,
  large: 0.5,
  rules: wordingRules,
  inspect: (scene) => Effect.sync(() => say(scene)),
}
