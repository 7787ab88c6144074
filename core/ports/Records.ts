import type { Account } from "../accounts/Account.ts"
import type { ApiKey } from "../accounts/ApiKey.ts"
import type { BillingCycle } from "../billing/BillingCycle.ts"
import type { Statement } from "../billing/Statement.ts"
import type { Challenge } from "../challenges/Challenge.ts"
import type { ChannelRequest } from "../channels/ChannelRequest.ts"
import type { Discrepancy } from "../channels/Discrepancy.ts"
import type { Install } from "../installs/Install.ts"
import type { Mandate } from "../installs/Mandate.ts"
import type { Agent } from "../kyc/agents/Agent.ts"
import type { Allowance } from "../kyc/codes/Allowance.ts"
import type { Appeal } from "../kyc/reviews/Appeal.ts"
import type { Verification } from "../kyc/verifications/Verification.ts"
import type { FeeDay } from "../ledger/FeeDay.ts"
import type { PaymentIntent } from "../payments/PaymentIntent.ts"
import type { Quote } from "../pricing/Quote.ts"
import type { Refund } from "../refunds/Refund.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import type { ReconciliationRun } from "../reports/ReconciliationRun.ts"
import type { AccessItem } from "../revocations/AccessItem.ts"
import type { Revocation } from "../revocations/Revocation.ts"
import type { Invoice } from "../subscriptions/Invoice.ts"
import type { Subscription } from "../subscriptions/Subscription.ts"
import type { Tab } from "../subscriptions/Tab.ts"
import type { UsageRecord } from "../subscriptions/Usage.ts"
import type { Delivery } from "../webhooks/deliveries/Delivery.ts"
import type { Endpoint } from "../webhooks/endpoints/Endpoint.ts"
import type { Event } from "../webhooks/events/Event.ts"
import type { WebhookKey } from "../webhooks/keys/WebhookKey.ts"

/** Every kind of record. Each has an `id` and a `version` that starts at 1. */
export interface Records {
  readonly account: Account
  readonly agent: Agent
  readonly api_key: ApiKey
  readonly service: ServiceManifest
  readonly payment_intent: PaymentIntent
  readonly channel_request: ChannelRequest
  readonly refund: Refund
  readonly discrepancy: Discrepancy
  readonly event: Event
  readonly delivery: Delivery
  readonly quote: Quote
  readonly fee_day: FeeDay
  readonly endpoint: Endpoint
  readonly webhook_key: WebhookKey
  readonly access_item: AccessItem
  readonly revocation: Revocation
  readonly verification: Verification
  readonly appeal: Appeal
  readonly otp_allowance: Allowance
  readonly reconciliation_run: ReconciliationRun
  readonly billing_cycle: BillingCycle
  readonly statement: Statement
  readonly install: Install
  readonly mandate: Mandate
  readonly subscription: Subscription
  readonly invoice: Invoice
  readonly tab: Tab
  readonly usage_record: UsageRecord
  readonly challenge: Challenge
}

/** The name of a kind of record. */
export type Kind = keyof Records

/** The kinds that a worker looks after: their records carry a time at which they are due. */
export const DUE_KINDS = [
  "payment_intent",
  "channel_request",
  "event",
  "endpoint",
  "delivery",
  "service",
  "quote",
  "fee_day",
  "revocation",
  "verification",
  "otp_allowance",
  "reconciliation_run",
  "billing_cycle",
  "mandate",
  "subscription",
  "invoice",
  "tab",
  "challenge",
] as const satisfies ReadonlyArray<Kind>

/** One of {@link DUE_KINDS}. */
export type DueKind = (typeof DUE_KINDS)[number]
