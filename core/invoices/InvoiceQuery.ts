import type { Invoice } from "./Invoice.ts"
import type { Subscription } from "./Subscription.ts"

/** A page of what an account pays or is paid: newest first. */
interface PageOf {
  readonly viewer: string
  readonly service_id?: string
  readonly limit: number
  readonly offset: number
}

/** What `GET /v1/subscriptions` asks. */
export interface SubscriptionQuery extends PageOf {
  readonly status?: Subscription["status"]
}

/** What `GET /v1/invoices` asks. */
export interface InvoiceQuery extends PageOf {
  readonly status?: Invoice["status"]
  readonly subscription?: string
}
