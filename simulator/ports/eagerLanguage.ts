import { Effect } from "effect"
import { amountsIn } from "../../core/language/grammar/AmountText.ts"
import { ordersIn } from "../../core/language/grammar/Reading.ts"
import type { Understanding } from "../../core/language/Understanding.ts"
import type { Language } from "../../core/ports/Language.ts"
import type { Chance } from "../random/Chance.ts"
import { currencies } from "./market.ts"

/** What a service is called that an engine takes every text to be about. */
export const SPOKEN_NAME = "Whatever was Said"

const codes: ReadonlySet<string> = new Set(currencies.keys())

const PAYMENT = /pi_[0-9a-f-]{36}/

/** What an engine makes of a text that was talked into acting: it is always sure. */
const talkedInto = (text: string): Understanding => {
  const payment_intent = PAYMENT.exec(text)?.[0]
  if (payment_intent !== undefined) {
    const intent = /refund|退/.test(text) ? "refund" : "void"
    return { intent, confidence: 1, entities: { payment_intent } }
  }
  const found = amountsIn(text, codes).find(({ currency }) => currency !== undefined)
  const money = found && { amount: found.value, currency: found.currency ?? "" }
  return { intent: "pay", confidence: 1, entities: { service: SPOKEN_NAME, ...money } }
}

const asRead = (text: string): Understanding | undefined => {
  const [order] = ordersIn(text, codes)
  if (order === undefined) return undefined
  const { intent, ...entities } = order
  return { intent, confidence: 1, entities }
}

/**
 * An engine that understands what is an order, mostly, and takes everything else for one: it finds
 * something to pay, void or refund in whatever it hears.
 */
export const eagerLanguage = (chance: Chance): Language["Service"] => ({
  understand: (text) =>
    Effect.sync(() => (chance.hits(0.8) ? asRead(text) : undefined) ?? talkedInto(text)),
})
