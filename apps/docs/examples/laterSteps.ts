import { SAMPLE, type Step } from "./Step.ts"

const DAY = 86_400

const advanced = (seconds: number): Step => ({
  operation: "sandbox.advanceClock",
  as: "buyer",
  body: { seconds },
})

const subscriptions: ReadonlyArray<Step> = [
  {
    operation: "subscriptions.subscribe",
    as: "buyer",
    path: { id: SAMPLE.otherService },
    gives: { [SAMPLE.subscription]: "id", [SAMPLE.invoice]: "latest_invoice" },
  },
  { operation: "subscriptions.list", as: "buyer", query: { limit: 10 } },
  { operation: "subscriptions.get", as: "buyer", path: { id: SAMPLE.subscription } },
  { operation: "invoices.list", as: "buyer", query: { status: "open", limit: 10 } },
  { operation: "invoices.get", as: "buyer", path: { id: SAMPLE.invoice } },
  {
    operation: "invoices.pay",
    as: "buyer",
    path: { id: SAMPLE.invoice },
    body: {},
    gives: { [SAMPLE.payment]: "id" },
  },
  {
    operation: "sandbox.simulate",
    as: "buyer",
    path: { id: SAMPLE.payment },
    body: { action: "pay" },
  },
  {
    operation: "subscriptions.prove",
    as: "buyer",
    path: { id: SAMPLE.subscription },
    gives: { [SAMPLE.proof]: "token", [SAMPLE.proofEnds]: "expires_at" },
  },
  {
    operation: "subscriptions.redeem",
    as: "seller",
    path: { id: SAMPLE.subscription },
    body: {
      service_id: SAMPLE.otherService,
      plan_id: "pro",
      challenge: "wqLkY1Cq7pYh0cVbXv5cN3mJ8uRz2sT4aEoGdKfHiXk",
      token: SAMPLE.proof,
      expires_at: SAMPLE.proofEnds,
    },
  },
  {
    operation: "subscriptions.cancel",
    as: "buyer",
    path: { id: SAMPLE.subscription },
    query: { now: true },
  },
  {
    operation: "subscriptions.subscribe",
    as: "buyer",
    path: { id: SAMPLE.otherService },
    tool: {
      name: `${SAMPLE.otherService}__pay_subscribe`,
      arguments: {
        manifest_id: SAMPLE.otherService,
        plan_id: "pro",
        interval: "monthly",
        amount: 1_999,
        currency: "USD",
      },
    },
  },
]

const forgiven: ReadonlyArray<Step> = [
  {
    operation: "invoices.list",
    as: "seller",
    query: { status: "open", limit: 10 },
    gives: { [SAMPLE.invoice]: "data.0.id" },
  },
  { operation: "invoices.void", as: "seller", path: { id: SAMPLE.invoice }, body: {} },
]

const usage: ReadonlyArray<Step> = [
  {
    operation: "serviceUsage.start",
    as: "buyer",
    path: { id: SAMPLE.otherService },
    tool: {
      name: `${SAMPLE.otherService}__pay_cumulative`,
      arguments: { manifest_id: SAMPLE.otherService },
    },
  },
  {
    operation: "serviceUsage.report",
    as: "seller",
    path: { id: SAMPLE.otherService },
    body: { agent_id: "agent_buyer_1", quantity: "12.5", idempotency_key: "call-8F3a" },
  },
  {
    operation: "serviceUsage.tab",
    as: "buyer",
    path: { id: SAMPLE.otherService },
    query: { agent_id: "agent_buyer_1" },
  },
  {
    operation: "serviceUsage.stop",
    as: "buyer",
    path: { id: SAMPLE.otherService },
    query: { agent_id: "agent_buyer_1" },
  },
]

const webhooks: ReadonlyArray<Step> = [
  { operation: "webhookEndpoints.create", as: "seller", gives: { [SAMPLE.endpoint]: "id" } },
  { operation: "webhookEndpoints.list", as: "seller", query: { limit: 10 } },
  { operation: "webhookEndpoints.get", as: "seller", path: { id: SAMPLE.endpoint } },
  { operation: "webhookDeliveries.test", as: "seller", path: { id: SAMPLE.endpoint }, body: {} },
  advanced(60),
  {
    operation: "webhookDeliveries.events",
    as: "seller",
    query: { limit: 10 },
    gives: { [SAMPLE.event]: "data.0.id" },
  },
  { operation: "webhookDeliveries.event", as: "seller", path: { id: SAMPLE.event } },
  {
    operation: "webhookDeliveries.list",
    as: "seller",
    query: { endpoint_id: SAMPLE.endpoint },
    gives: { [SAMPLE.delivery]: "data.0.id" },
  },
  { operation: "webhookDeliveries.get", as: "seller", path: { id: SAMPLE.delivery } },
  { operation: "webhookDeliveries.replay", as: "seller", path: { id: SAMPLE.delivery }, body: {} },
  { operation: "webhookEndpoints.change", as: "seller", path: { id: SAMPLE.endpoint } },
  { operation: "webhookEndpoints.delete", as: "seller", path: { id: SAMPLE.endpoint } },
  { operation: "merchant.showWebhookSecret", as: "seller" },
  { operation: "merchant.rotateWebhookSecret", as: "seller" },
  { operation: "merchant.addWebhookKey", as: "seller", gives: { [SAMPLE.webhookKey]: "id" } },
  { operation: "merchant.listWebhookKeys", as: "seller" },
  { operation: "merchant.deleteWebhookKey", as: "seller", path: { id: SAMPLE.webhookKey } },
]

const DAYS = { from: "2026-01-01", to: "2026-01-31" }

const books: ReadonlyArray<Step> = [
  advanced(31 * DAY),
  { operation: "ledger.balance", as: "seller" },
  { operation: "ledger.entries", as: "seller", query: { currency: "USD", limit: 10 } },
  { operation: "reports.reconciliation", as: "seller", query: DAYS },
  { operation: "reconciliationRuns.list", as: "operator", query: DAYS },
  { operation: "billing.usage", as: "seller" },
  {
    operation: "billing.statements",
    as: "seller",
    query: { limit: 10 },
    gives: { [SAMPLE.statement]: "data.0.id" },
  },
  { operation: "billing.statement", as: "seller", path: { id: SAMPLE.statement } },
]

const PERSON = {
  email: "buyer@example.com",
  phone: "+14155550123",
  country: "GB",
  full_name: "Ada Lovelace",
  document_type: "passport",
}

const COMPANY = {
  business_name: "Analytical Engines Ltd",
  registration_number: "REG-778899",
  ubo_declaration: { full_name: "Ada Lovelace", ownership_pct: 60 },
}

const submitted = (level: string, data: object): Step => ({
  operation: "kyc.verify",
  as: "buyer",
  body: { agent_id: "agent_buyer_1", level, data },
  gives: { [SAMPLE.verification]: "verification_id" },
})

const reviews: ReadonlyArray<Step> = [
  submitted("business", { ...PERSON, ...COMPANY, document_number: "GBR123456" }),
  { operation: "kycReviews.list", as: "operator", query: { limit: 10 } },
  { operation: "kycReviews.open", as: "operator", path: { id: SAMPLE.verification } },
  { operation: "kycReviews.review", as: "operator", path: { id: SAMPLE.verification } },
  // The sandbox treats a document that ends in 0000 as another person's.
  submitted("enhanced", { ...PERSON, document_number: "GBR120000" }),
  { operation: "kyc.appeal", as: "buyer", gives: { [SAMPLE.appeal]: "appeal_id" } },
  { operation: "kyc.getAppeal", as: "buyer", path: { id: SAMPLE.appeal } },
  { operation: "kycReviews.listAppeals", as: "operator", query: { status: "under_review" } },
  { operation: "kycReviews.openAppeal", as: "operator", path: { id: SAMPLE.appeal } },
  { operation: "kycReviews.reviewAppeal", as: "operator", path: { id: SAMPLE.appeal } },
  { operation: "audit.list", as: "operator", query: { limit: 10 } },
  { operation: "audit.heads", as: "operator", query: { limit: 10 } },
]

const others: ReadonlyArray<Step> = [
  { operation: "ai.scanQr", as: "buyer" },
  { operation: "ai.nlpPayment", as: "buyer" },
  { operation: "ai.nlpBatch", as: "buyer" },
  { operation: "operations.health", as: "nobody" },
  { operation: "operations.ready", as: "nobody" },
  { operation: "operations.metrics", as: "nobody" },
  { operation: "operations.openapi", as: "nobody" },
  { operation: "discovery.apiCatalog", as: "nobody" },
  { operation: "discovery.part", as: "nobody", path: { document: "buyer.json" } },
  { operation: "discovery.agentCard", as: "nobody" },
  { operation: "discovery.mcpServerCard", as: "nobody" },
  { operation: "discovery.x402", as: "nobody" },
  { operation: "sandbox.channels", as: "buyer" },
  { operation: "sandbox.setFaults", as: "buyer", path: { channel: "wallet_b" } },
  { operation: "sandbox.setFaults", as: "buyer", path: { channel: "wallet_b" }, body: {} },
  { operation: "services.deprecate", as: "seller", path: { id: SAMPLE.service } },
  advanced(31 * DAY),
  { operation: "services.delete", as: "seller", path: { id: SAMPLE.service } },
  { operation: "sandbox.reset", as: "seller", body: {} },
]

/** The second half of the sequence: everything besides payments. */
export const laterSteps: ReadonlyArray<Step> = [
  ...subscriptions,
  ...forgiven,
  ...usage,
  ...webhooks,
  ...books,
  ...reviews,
  ...others,
]
