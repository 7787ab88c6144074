import { amountsIn, type FoundAmount, namesAmount, namesCurrency } from "./grammar/AmountText.ts"
import type { SharedName } from "./grammar/CurrencyText.ts"
import { namesInterval } from "./grammar/IntervalText.ts"
import { namesHanPlan } from "./grammar/PlanText.ts"
import { amountIsUnclear, moneyIn } from "./UnclearAmount.ts"
import type { Entities, Understanding } from "./Understanding.ts"

/** An understanding reduced to what the text itself contains. */
export interface Trusted extends Understanding {
  /** Fields to ask for, because a default would differ from what the text says. */
  readonly unclear: ReadonlySet<"amount" | "currency" | "payment_intent" | "plan_id">
  /** The name of the amount's currency where several have it. */
  readonly shared: SharedName | undefined
  /** The amounts with a currency in the text. */
  readonly money: ReadonlyArray<FoundAmount>
}

const plain = (text: string): string => text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ")

const isIn = (text: string, part: string): boolean => plain(text).includes(plain(part))

const WORDS = /\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu

/** Tells whether the text contains every word of a name, in any order. */
export const holdsWords = (text: string, name: string): boolean => {
  const words = plain(name).match(WORDS) ?? []
  const whole = plain(text)
  const all = new Set(whole.match(WORDS))
  return (
    words.length > 0 &&
    words.every((word) => (/\p{Script=Han}/u.test(word) ? whole.includes(word) : all.has(word)))
  )
}

/** Tells whether the text names several payments, whose roles cannot be told apart. */
const namesSeveral = (text: string): boolean =>
  new Set(plain(text).match(/\bpi_[0-9a-z-]{6,64}/g)).size > 1

/** Returns the entity if the text contains it. */
const held = <K extends keyof Entities>(
  entities: Entities,
  key: K,
  isHeld: (value: NonNullable<Entities[K]>) => boolean,
): { readonly [_ in K]?: NonNullable<Entities[K]> } => {
  const value = entities[key]
  const none: { readonly [_ in K]?: NonNullable<Entities[K]> } = {}
  return value !== undefined && isHeld(value) ? { ...none, [key]: value } : none
}

/**
 * Reduces an engine's answer to what the text itself contains, since an engine may misread, invent
 * or be manipulated. Entities that are dropped are asked for and never filled by a default.
 */
export const trusted = (
  text: string,
  { confidence, entities, intent }: Understanding,
  codes: ReadonlySet<string>,
): Trusted => {
  const { amount, currency, reason, status } = entities
  const amounts = amountsIn(text, codes)
  const kept: Entities = {
    ...held(entities, "amount", (value) => namesAmount(amounts, value, currency)),
    ...held(entities, "currency", (value) => namesCurrency(text, amounts, codes, value)),
    ...held(entities, "service", (value) => holdsWords(text, value)),
    ...held(entities, "service_id", (value) => isIn(text, value)),
    ...held(entities, "plan", (value) => holdsWords(text, value) || namesHanPlan(text, value)),
    ...held(entities, "interval", (value) => namesInterval(text, value)),
    ...held(entities, "payment_intent", (value) => isIn(text, value)),
    ...(status !== undefined && { status }),
    ...(reason !== undefined && { reason }),
  }
  const lost = (key: keyof Entities): boolean => entities[key] !== undefined && !(key in kept)
  const paid = intent === "pay" || intent === "refund"
  const unclear: Trusted["unclear"] = new Set([
    ...(lost("amount") || (paid && amountIsUnclear(text, amounts, kept, codes))
      ? (["amount"] as const)
      : []),
    ...(amount !== undefined && lost("currency") ? (["currency"] as const) : []),
    ...(lost("payment_intent") || namesSeveral(text) ? (["payment_intent"] as const) : []),
    ...(lost("plan") || lost("interval") ? (["plan_id"] as const) : []),
  ])
  const money = moneyIn(amounts)
  const { shared } = money.find(({ value }) => Number(value) === Number(kept.amount)) ?? {}
  return { intent, confidence, entities: kept, unclear, shared, money }
}
