// Written independently of core/language on purpose: what an engine may say of a text.

import { trusted } from "../../core/language/Trusted.ts"
import type { Entities } from "../../core/language/Understanding.ts"
import type { WordsJudged } from "../auditor/invariants/wordings.ts"

const ID = "019c166d-b939-7000-ab06-f812e9a84a5d"

/** What an engine says of a text, what is in the text of it, and what is asked for then. */
interface Claim {
  readonly said: Entities
  readonly isIn: boolean
  readonly asks?: string
}

const TEXT = `refund 12 EUR of pi_${ID}, the Pro plan of Salt & Pepper, billed monthly`

const CLAIMS: ReadonlyArray<Claim> = [
  { said: { amount: "12", currency: "EUR" }, isIn: true },
  { said: { amount: "12.00", currency: "EUR" }, isIn: true },
  { said: { amount: "13", currency: "EUR" }, isIn: false, asks: "amount" },
  { said: { amount: "12", currency: "USD" }, isIn: false, asks: "amount" },
  { said: { service: "Salt & Pepper" }, isIn: true },
  { said: { service: "pepper SALT" }, isIn: true },
  { said: { service: "Salt Mine" }, isIn: false },
  { said: { service: "Sal" }, isIn: false },
  { said: { service: "&" }, isIn: false },
  { said: { service_id: ID }, isIn: true },
  { said: { service_id: ID.replace("9", "8") }, isIn: false },
  { said: { plan: "pro" }, isIn: true },
  { said: { plan: "basic" }, isIn: false, asks: "plan_id" },
  { said: { interval: "monthly" }, isIn: true },
  { said: { interval: "yearly" }, isIn: false, asks: "plan_id" },
  { said: { payment_intent: `PI_${ID.toUpperCase()}` }, isIn: true },
  { said: { payment_intent: "pi_other0" }, isIn: false, asks: "payment_intent" },
  { said: { status: "paid" }, isIn: true },
  { said: { reason: "anything" }, isIn: true },
]

/** Judges what is kept of an engine's claims, and what is asked for instead. */
export const claims = (codes: ReadonlySet<string>): ReadonlyArray<WordsJudged> =>
  CLAIMS.flatMap(({ asks, isIn, said }) => {
    const { entities, unclear } = trusted(
      TEXT,
      { intent: "subscribe", confidence: 1, entities: said },
      codes,
    )
    const what = `${JSON.stringify(said)} of "${TEXT}"`
    const kept = isIn ? said : said.currency === "EUR" ? { currency: "EUR" } : {}
    const lost = said.currency === "USD" ? ["amount", "currency"] : asks === undefined ? [] : [asks]
    return [
      { what: `what is kept of ${what}`, expected: kept, found: entities },
      { what: `what is asked for of ${what}`, expected: lost, found: [...unclear] },
    ]
  })
