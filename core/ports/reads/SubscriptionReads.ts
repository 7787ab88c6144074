import type { Found } from "../../shared/Page.ts"
import type { Invoice } from "../../subscriptions/Invoice.ts"
import type { InvoiceQuery, SubscriptionQuery } from "../../subscriptions/InvoiceQuery.ts"
import type { Subscription } from "../../subscriptions/Subscription.ts"
import type { Tab } from "../../subscriptions/Tab.ts"
import type { UsageRecord, UsageSum } from "../../subscriptions/Usage.ts"
import type { Read } from "./Read.ts"

/** Plans, use and invoices (cumulative and subscription pricing). */
export interface SubscriptionReads {
  readonly findSubscription: (id: string) => Read<Subscription | undefined>
  readonly listSubscriptions: (query: SubscriptionQuery) => Read<Found<Subscription>>
  readonly findInvoice: (id: string) => Read<Invoice | undefined>
  readonly listInvoices: (query: InvoiceQuery) => Read<Found<Invoice>>
  /** Those of a subscription that wait for their payment, oldest first. */
  readonly listOpenInvoices: (subscriptionId: string) => Read<ReadonlyArray<Invoice>>
  /** By what its id is made of, see `tabName`. */
  readonly findTab: (id: string) => Read<Tab | undefined>
  /** By what its id is made of, see `usageName`. */
  readonly findUsage: (id: string) => Read<UsageRecord | undefined>
  /** What was used in a period of a tab. */
  readonly sumUsage: (tabId: string, period: number) => Read<UsageSum>
}
