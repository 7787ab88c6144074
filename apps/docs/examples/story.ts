import { exampleRequest as AUTHORIZATION } from "../../../adapters/http/contract/oauth.ts"
import { SAMPLE, type Step } from "./Step.ts"
import { laterSteps } from "./laterSteps.ts"

const accounts: ReadonlyArray<Step> = [
  {
    operation: "accounts.create",
    as: "operator",
    gives: { [SAMPLE.account]: "id", $SELLER_KEY: "api_key.key", [SAMPLE.key]: "api_key.id" },
  },
  {
    operation: "accounts.create",
    as: "operator",
    body: { name: "Ada's agents", kind: "buyer", agent_id: "agent_buyer_1" },
    gives: { [SAMPLE.buyerAccount]: "id", $BUYER_KEY: "api_key.key" },
  },
  { operation: "accounts.list", as: "operator", query: { kind: "seller", limit: 10 } },
  { operation: "accounts.get", as: "operator", path: { id: SAMPLE.account } },
  { operation: "accounts.changePlan", as: "operator", path: { id: SAMPLE.account } },
  { operation: "accounts.suspend", as: "operator", path: { id: SAMPLE.account } },
  { operation: "accounts.resume", as: "operator", path: { id: SAMPLE.account } },
  { operation: "accounts.listKeys", as: "operator", path: { id: SAMPLE.account } },
  { operation: "accounts.issueKey", as: "operator", path: { id: SAMPLE.account } },
  {
    operation: "accounts.suspendKey",
    as: "operator",
    path: { id: SAMPLE.account, key_id: SAMPLE.key },
  },
  {
    operation: "accounts.resumeKey",
    as: "operator",
    path: { id: SAMPLE.account, key_id: SAMPLE.key },
  },
  { operation: "apiKeys.issue", as: "seller", gives: { [SAMPLE.key]: "id" } },
  { operation: "apiKeys.list", as: "seller", query: { limit: 10 } },
  {
    operation: "apiKeys.roll",
    as: "seller",
    path: { id: SAMPLE.key },
    gives: { [SAMPLE.key]: "id" },
  },
  { operation: "apiKeys.revoke", as: "seller", path: { id: SAMPLE.key } },
  { operation: "oauth.show", as: "seller", query: AUTHORIZATION },
  { operation: "oauth.authorize", as: "seller" },
  { operation: "accountLog.list", as: "seller", query: { limit: 10 } },
]

const CLUB = {
  name: "Weather club",
  description: "Forecasts every month, and by use.",
  payment_methods: { one_time: true, subscription: true, cumulative: true },
  pricing: {
    one_time: [{ amount: 250, currency: "USD", label: "Today" }],
    subscription: [
      {
        plan_id: "pro",
        name: "Pro",
        amount: 1_999,
        currency: "USD",
        interval: "monthly",
        features: ["Every forecast"],
      },
    ],
    cumulative: { unit: "forecast", rate: "0.25", billing_cycle: "monthly", currency: "USD" },
  },
  accepted_channels: ["wallet_a"],
  qr_mode: "static",
  settlement_currency: "USD",
  endpoint: "https://weather.example/webhooks",
}

const services: ReadonlyArray<Step> = [
  { operation: "services.register", as: "seller", gives: { [SAMPLE.service]: "id" } },
  { operation: "services.activate", as: "seller", path: { id: SAMPLE.service } },
  { operation: "services.get", as: "buyer", path: { id: SAMPLE.service } },
  { operation: "services.search", as: "buyer", query: { q: "forecasts", limit: 10 } },
  { operation: "services.pause", as: "seller", path: { id: SAMPLE.service } },
  { operation: "services.resume", as: "seller", path: { id: SAMPLE.service } },
  {
    operation: "services.register",
    as: "seller",
    body: CLUB,
    gives: { [SAMPLE.otherService]: "id" },
  },
  { operation: "services.activate", as: "seller", path: { id: SAMPLE.otherService } },
  { operation: "services.qr", as: "seller", path: { id: SAMPLE.otherService } },
  { operation: "channels.list", as: "buyer" },
]

const identity: ReadonlyArray<Step> = [
  {
    operation: "kyc.verify",
    as: "buyer",
    body: {
      agent_id: "agent_buyer_1",
      level: "basic",
      data: { email: "buyer@example.com", phone: "+14155550123" },
    },
    gives: { [SAMPLE.verification]: "verification_id" },
  },
  {
    operation: "sandbox.messages",
    as: "buyer",
    query: { verification_id: SAMPLE.verification },
    gives: { [SAMPLE.code]: "data.0.text" },
  },
  {
    operation: "kyc.verify",
    as: "buyer",
    body: { verification_id: SAMPLE.verification, otp: SAMPLE.code },
  },
  { operation: "kyc.getVerification", as: "buyer", path: { id: SAMPLE.verification } },
  { operation: "kyc.getAgent", as: "buyer", path: { agent_id: "agent_buyer_1" } },
]

const installs: ReadonlyArray<Step> = [
  {
    operation: "installs.put",
    as: "buyer",
    path: { id: SAMPLE.service },
    gives: { [SAMPLE.install]: "id" },
  },
  { operation: "installs.list", as: "buyer", query: { limit: 10 } },
  { operation: "installs.get", as: "buyer", path: { id: SAMPLE.install } },
  { operation: "installs.listOfService", as: "buyer", path: { id: SAMPLE.service } },
  { operation: "installs.delete", as: "buyer", path: { id: SAMPLE.install } },
  { operation: "installs.put", as: "buyer", path: { id: SAMPLE.service } },
  {
    operation: "installs.uninstall",
    as: "buyer",
    path: { id: SAMPLE.service },
    query: { agent_id: "agent_buyer_1" },
  },
]

const requested: Step = {
  operation: "paymentIntents.create",
  as: "buyer",
  gives: { [SAMPLE.payment]: "id" },
}

const simulated = (action: string): Step => ({
  operation: "sandbox.simulate",
  as: "buyer",
  path: { id: SAMPLE.payment },
  body: { action },
})

const captured: Step = {
  operation: "paymentIntents.capture",
  as: "seller",
  path: { id: SAMPLE.payment },
  body: {},
}

const settled: Step = { operation: "sandbox.advanceClock", as: "buyer", body: { seconds: 60 } }

const paid = [requested, simulated("authorize"), captured, settled]

const askedBack: Step = {
  operation: "refundRequests.create",
  as: "buyer",
  gives: { [SAMPLE.refundRequest]: "id" },
}

const decided = (what: string, as: "buyer" | "seller"): Step => ({
  operation: `refundRequests.${what}`,
  as,
  path: { id: SAMPLE.refundRequest },
})

const refundRequests: ReadonlyArray<Step> = [
  askedBack,
  { operation: "refundRequests.list", as: "seller", query: { limit: 10 } },
  decided("get", "seller"),
  decided("decline", "seller"),
  askedBack,
  decided("withdraw", "buyer"),
  askedBack,
  decided("approve", "seller"),
]

const payments: ReadonlyArray<Step> = [
  ...paid,
  { operation: "paymentIntents.list", as: "buyer", query: { status: "succeeded", limit: 10 } },
  { operation: "paymentIntents.get", as: "buyer", path: { id: SAMPLE.payment } },
  { operation: "paymentIntents.qr", as: "buyer", path: { id: SAMPLE.payment } },
  { operation: "paymentIntents.events", as: "buyer", path: { id: SAMPLE.payment } },
  { operation: "paymentIntents.timeline", as: "buyer", path: { id: SAMPLE.payment } },
  { operation: "accessItems.register", as: "seller" },
  { operation: "accessItems.introspect", as: "seller" },
  { operation: "refunds.create", as: "seller", gives: { [SAMPLE.refund]: "id" } },
  { operation: "refunds.list", as: "seller", query: { payment_intent: SAMPLE.payment } },
  { operation: "refunds.get", as: "seller", path: { id: SAMPLE.refund } },
  ...refundRequests,
  ...paid,
  { operation: "refunds.ofIntent", as: "seller", path: { id: SAMPLE.payment } },
  requested,
  { operation: "paymentIntents.void", as: "buyer", path: { id: SAMPLE.payment }, body: {} },
  requested,
  { operation: "paymentIntents.cancel", as: "seller", path: { id: SAMPLE.payment }, body: {} },
  {
    operation: "payments.oneTime",
    as: "buyer",
    body: {
      service_id: SAMPLE.service,
      amount: { currency: "USD", value: 250 },
      description: "Weather report, today",
      payer: { agent_id: "agent_buyer_1" },
      metadata: { order: "1002" },
    },
    tool: {
      name: `${SAMPLE.service}__pay_one_time`,
      arguments: { manifest_id: SAMPLE.service, amount: 250, description: "Weather report, today" },
    },
  },
  { operation: "payments.attempt", as: "buyer" },
  {
    operation: "fx.quote",
    as: "buyer",
    body: {
      amount: { currency: "USD", value: 699 },
      settlement_currency: "USD",
      service_id: SAMPLE.service,
    },
    gives: { [SAMPLE.quote]: "id" },
  },
  { operation: "fx.route", as: "buyer" },
  {
    operation: "challenges.open",
    as: "seller",
    gives: { [SAMPLE.challenge]: "payment_intent.id", [SAMPLE.token]: "payment_intent.token" },
  },
  {
    operation: "sandbox.simulate",
    as: "buyer",
    path: { id: SAMPLE.challenge },
    body: { action: "pay" },
  },
  { operation: "challenges.redeem", as: "seller", path: { id: SAMPLE.challenge } },
  {
    operation: "challenges.open",
    as: "seller",
    gives: { [SAMPLE.session]: "payment_intent.id", [SAMPLE.token]: "payment_intent.token" },
  },
  {
    operation: "sandbox.simulate",
    as: "buyer",
    path: { id: SAMPLE.session },
    body: { action: "pay" },
  },
  { operation: "challenges.draw", as: "seller", path: { id: SAMPLE.session } },
  { operation: "challenges.close", as: "seller", path: { id: SAMPLE.session } },
  { operation: "facilitator.supported", as: "nobody" },
  {
    operation: "facilitator.pay",
    as: "buyer",
    gives: { [SAMPLE.x402]: "payment_intent.id", [SAMPLE.token]: "payment_intent.token" },
  },
  {
    operation: "sandbox.simulate",
    as: "buyer",
    path: { id: SAMPLE.x402 },
    body: { action: "pay" },
  },
  { operation: "facilitator.verify", as: "seller" },
  { operation: "facilitator.settle", as: "seller" },
  { operation: "listings.create", as: "seller", gives: { [SAMPLE.listing]: "id" } },
  { operation: "listings.list", as: "seller", query: { limit: 10 } },
  { operation: "listings.get", as: "seller", path: { id: SAMPLE.listing } },
  { operation: "listings.delete", as: "seller", path: { id: SAMPLE.listing } },
  { operation: "facilitator.discover", as: "nobody", query: { type: "http", limit: 10 } },
  {
    operation: "sandboxPaid.get",
    as: "nobody",
    path: { service_id: SAMPLE.service },
    status: 402,
  },
]

/** The requests of a seller, a buyer and an operator, in an order in which each succeeds. */
export const story: ReadonlyArray<Step> = [
  ...accounts,
  ...services,
  ...identity,
  ...installs,
  ...payments,
  ...laterSteps,
]
