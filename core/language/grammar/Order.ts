import type { Invoice } from "../../invoices/Invoice.ts"
import type { Interval } from "../../shared/Period.ts"
import type { SharedName } from "./CurrencyText.ts"

/** The intents that the grammar reads. */
export const ORDERED = ["pay", "subscribe", "query_invoice", "refund", "void"] as const
/** One of {@link ORDERED}. */
export type Ordered = (typeof ORDERED)[number]

/** What a text orders, in its own words: `amount` is an exact decimal in major units. */
export interface Order {
  readonly intent: Ordered
  readonly amount?: string
  /** An ISO 4217 code; missing where the text does not name it. */
  readonly currency?: string
  /** A name of several currencies, where the text has no other. */
  readonly shared?: SharedName
  readonly service?: string
  readonly service_id?: string
  readonly plan?: string
  readonly interval?: Interval
  readonly status?: Invoice["status"]
  readonly payment_intent?: string
  readonly reason?: string
}

/** The values of one slot. */
export type Said = Omit<Order, "intent">
