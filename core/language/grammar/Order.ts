import type { Invoice } from "../../invoices/Invoice.ts"
import type { Interval } from "../../shared/Period.ts"

/** What the grammar reads orders for. */
export const ORDERED = ["pay", "subscribe", "query_invoice", "refund", "void"] as const
/** One of {@link ORDERED}. */
export type Ordered = (typeof ORDERED)[number]

/** What a text orders, as it says it: `amount` is an exact decimal in major units. */
export interface Order {
  readonly intent: Ordered
  readonly amount?: string
  /** An ISO 4217 code; missing where the text does not say it. */
  readonly currency?: string
  readonly service?: string
  readonly service_id?: string
  readonly plan?: string
  readonly interval?: Interval
  readonly status?: Invoice["status"]
  readonly payment_intent?: string
  readonly reason?: string
}

/** What one slot holds. */
export type Said = Omit<Order, "intent">
