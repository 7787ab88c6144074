import type { Invoice } from "./Invoice.ts"
import type { Subscription } from "./Subscription.ts"

/** A page of an account's records, as payer or payee, newest first. */
interface PageOf {
  readonly viewer: string
  readonly service_id?: string
  readonly limit: number
  readonly offset: number
}

/** The query of `GET /v1/subscriptions`. */
export interface SubscriptionQuery extends PageOf {
  readonly status?: Subscription["status"]
}

/** The query of `GET /v1/invoices`. */
export interface InvoiceQuery extends PageOf {
  readonly status?: Invoice["status"]
  readonly subscription?: string
}
