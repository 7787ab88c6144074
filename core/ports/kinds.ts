import "../accounts/Account.ts"
import "../accounts/ApiKey.ts"
import "../audit/AuditEntry.ts"
import "../accounts/BillingCycle.ts"
import "../billing/Statement.ts"
import "../challenges/Challenge.ts"
import "../gateway/ChannelRequest.ts"
import "../gateway/Discrepancy.ts"
import "../idempotency/Reply.ts"
import "../installs/Install.ts"
import "../installs/Mandate.ts"
import "../kyc/agents/Agent.ts"
import "../kyc/codes/Allowance.ts"
import "../kyc/reviews/Appeal.ts"
import "../kyc/verifications/Verification.ts"
import "../ledger/FeeDay.ts"
import "../ledger/Posting.ts"
import "../payments/PaymentIntent.ts"
import "../quotes/Quote.ts"
import "../refunds/Refund.ts"
import "../registry/ServiceManifest.ts"
import "../reports/ReconciliationRun.ts"
import "../revocations/AccessItem.ts"
import "../revocations/Revocation.ts"
import "../invoices/Invoice.ts"
import "../invoices/Subscription.ts"
import "../invoices/Tab.ts"
import "../invoices/Usage.ts"
import "../webhooks/deliveries/Delivery.ts"
import "../webhooks/endpoints/Endpoint.ts"
import "../webhooks/events/Event.ts"
import "../webhooks/keys/WebhookKey.ts"
import type { DueKind } from "../commits/Records.ts"

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
] as const satisfies ReadonlyArray<DueKind>
