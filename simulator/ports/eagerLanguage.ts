import { Effect } from "effect"
import { amountsIn } from "../../core/language/grammar/AmountText.ts"
import { ordersIn } from "../../core/language/grammar/Reading.ts"
import type { Understanding } from "../../core/language/Understanding.ts"
import type { Language } from "../../core/ports/Language.ts"
import type { Chance } from "../random/Chance.ts"
import { currencies } from "./market.ts"

/** The name of a service that the engine takes every text to be about. */
export const SPOKEN_NAME = "Whatever was Said"

const codes: ReadonlySet<string> = new Set(currencies.keys())

const PAYMENT = /pi_[0-9a-f-]{36}/

/** Returns what an engine understands after it was persuaded to act: it is always certain. */
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
  const { intent, shared: _sign, ...entities } = order
  return { intent, confidence: 1, entities }
}

/**
 * An engine that usually understands an order, and treats everything else as one: it finds
 * something to pay, void or refund in every text.
 */
export const eagerLanguage = (chance: Chance): Language["Service"] => ({
  understand: (text) =>
    Effect.sync(() => (chance.hits(0.8) ? asRead(text) : undefined) ?? talkedInto(text)),
})

/** An engine that understands orders as they are worded, and nothing else. */
export const literalLanguage: Language["Service"] = {
  understand: (text) =>
    Effect.sync(() => asRead(text) ?? { intent: "unknown", confidence: 0.2, entities: {} }),
}
