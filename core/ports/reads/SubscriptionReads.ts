import type { Found } from "../../shared/Page.ts"
import type { Invoice } from "../../invoices/Invoice.ts"
import type { InvoiceQuery, SubscriptionQuery } from "../../invoices/InvoiceQuery.ts"
import type { Subscription } from "../../invoices/Subscription.ts"
import type { UsageSum } from "../../invoices/Usage.ts"
import type { Read } from "./Read.ts"

/** Plans, use and invoices (cumulative and subscription pricing). */
export interface SubscriptionReads {
  readonly listSubscriptions: (query: SubscriptionQuery) => Read<Found<Subscription>>
  readonly listInvoices: (query: InvoiceQuery) => Read<Found<Invoice>>
  /** Those of a subscription that wait for their payment, oldest first. */
  readonly listOpenInvoices: (subscriptionId: string) => Read<ReadonlyArray<Invoice>>
  /** What was used in a period of a tab. */
  readonly sumUsage: (tabId: string, period: number) => Read<UsageSum>
}
