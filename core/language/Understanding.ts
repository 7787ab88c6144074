import { Schema } from "effect"
import { INVOICE_STATUSES } from "../invoices/Invoice.ts"
import { INTERVALS } from "../shared/Period.ts"

/** The intents of texts (AI-native endpoints, intent classification). */
export const INTENTS = ["pay", "subscribe", "query_invoice", "refund", "void", "scan_qr"] as const
/** One of {@link INTENTS}, or `unknown` for a text with another intent. */
export type Intent = (typeof INTENTS)[number] | "unknown"

const word = Schema.String.check(Schema.isMaxLength(256))

/**
 * The entities of a text in its own words: `amount` is an exact decimal in major units, `service` a
 * name or a part of one, `plan` a plan's name or id.
 */
export const Entities = Schema.Struct({
  amount: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^\d{1,16}(\.\d{1,16})?$/))),
  currency: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[A-Z]{3}$/))),
  service: Schema.optionalKey(word),
  service_id: Schema.optionalKey(word),
  plan: Schema.optionalKey(word),
  interval: Schema.optionalKey(Schema.Literals(INTERVALS)),
  status: Schema.optionalKey(Schema.Literals(INVOICE_STATUSES)),
  payment_intent: Schema.optionalKey(word),
  reason: Schema.optionalKey(word),
})
export type Entities = typeof Entities.Type

/** An engine's answer to a text. The answer of every engine is decoded by this schema. */
export const Understanding = Schema.Struct({
  intent: Schema.Literals([...INTENTS, "unknown"]),
  /** From 0 to 1. */
  confidence: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 })),
  entities: Entities,
})
export type Understanding = typeof Understanding.Type
