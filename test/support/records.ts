import { type ConsumerList, CONSUMERS } from "../../core/webhooks/consumers/ConsumerList.ts"
import type { Feed } from "../../core/webhooks/consumers/Feed.ts"
import { type Challenge, UNPAID_KEPT } from "../../core/challenges/Challenge.ts"
import type { Account } from "../../core/accounts/Account.ts"
import type { LogEntry } from "../../core/accountLog/LogEntry.ts"
import type { ApiKey } from "../../core/accounts/ApiKey.ts"
import { makeVault } from "../../adapters/crypto/Vault.ts"
import { type AuditAct, type AuditNote, chained } from "../../core/audit/AuditEntry.ts"
import { billOf } from "../../core/billing/Bill.ts"
import { type BillingCycle, openCycle } from "../../core/accounts/BillingCycle.ts"
import type { Statement } from "../../core/billing/Statement.ts"
import type { ChannelRequest, ChannelRequestFacts } from "../../core/gateway/ChannelRequest.ts"
import type { Discrepancy } from "../../core/gateway/Discrepancy.ts"
import type { Agent } from "../../core/kyc/agents/Agent.ts"
import type { Install } from "../../core/installs/Install.ts"
import type { Mandate, MandateFacts } from "../../core/installs/Mandate.ts"
import type { Allowance } from "../../core/kyc/codes/Allowance.ts"
import type { Appeal } from "../../core/kyc/reviews/Appeal.ts"
import { RETENTION, type Verification } from "../../core/kyc/verifications/Verification.ts"
import type { VerificationFacts } from "../../core/kyc/verifications/VerificationMachine.ts"
import { KEPT_FOR, type Reply, RUNNING_LEASE } from "../../core/idempotency/Reply.ts"
import type { FeeDay } from "../../core/ledger/FeeDay.ts"
import type { Posting } from "../../core/ledger/Posting.ts"
import type { OneTimeFacts } from "../../core/payments/OneTimePay.ts"
import {
  type IntentCommon,
  ONE_TIME_LIFETIME,
  type OneTimePayment,
  REQUEST_LIFETIME,
  type RequestPayment,
} from "../../core/payments/PaymentIntent.ts"
import type { RequestFacts } from "../../core/payments/RequestPayment.ts"
import { feesFrom } from "../../core/pricing/Price.ts"
import type { Refund, RefundCommon } from "../../core/refunds/Refund.ts"
import { NOTHING_REFUNDED } from "../../core/payments/Refunded.ts"
import type { RefundFacts } from "../../core/refunds/RefundMachine.ts"
import { type Quote, QUOTE_KEPT, QUOTE_LIFETIME } from "../../core/quotes/Quote.ts"
import type { ReconciliationRun } from "../../core/reports/ReconciliationRun.ts"
import type { ServiceManifest } from "../../core/registry/ServiceManifest.ts"
import type { AccessItem } from "../../core/revocations/AccessItem.ts"
import type {
  Revocation,
  RevocationCommon,
  RevocationFacts,
} from "../../core/revocations/Revocation.ts"
import { draft, type Invoice, type InvoiceFacts } from "../../core/invoices/Invoice.ts"
import type {
  Subscription,
  SubscriptionCommon,
  SubscriptionFacts,
} from "../../core/invoices/Subscription.ts"
import type { Tab } from "../../core/invoices/Tab.ts"
import type { UsageRecord } from "../../core/invoices/Usage.ts"
import type { IdPrefix } from "../../core/shared/Id.ts"
import { DAY, HOUR, MINUTE, SECOND, type Timestamp } from "../../core/shared/Timestamp.ts"
import { nameKey } from "../../core/shared/Text.ts"
import type { Delivery } from "../../core/webhooks/deliveries/Delivery.ts"
import type { Endpoint } from "../../core/webhooks/endpoints/Endpoint.ts"
import type { Event } from "../../core/webhooks/events/Event.ts"
import type { WebhookKey } from "../../core/webhooks/keys/WebhookKey.ts"

/** 2026-01-01T00:00:00Z: when everything here was created, unless a test says otherwise. */
export const T0: Timestamp = 1_767_225_600_000

/** The n-th UUIDv7: higher numbers sort later. */
export const uuid = (n: number): string =>
  `019b7726-${(n >>> 16).toString(16).padStart(4, "0")}-7000-8000-` +
  n.toString(16).padStart(12, "0")

/** The n-th identifier of a kind. */
export const id = (prefix: IdPrefix, n: number): string => `${prefix}_${uuid(n)}`

/** A lower-case hex SHA-256 in form, that of the n-th key. */
export const hash = (n: number): string => n.toString(16).padStart(64, "0")

/** What a test says of a record: its number, which makes its id, and fields that differ. */
type Said<A> = Partial<A> & { readonly n?: number }

/** A seller. */
export const anAccount = ({ n = 1, ...said }: Said<Account> = {}): Account => ({
  id: id("acct", n),
  version: 1,
  name: `Seller ${n}`,
  kind: "seller",
  agent_id: `agent-${n}`,
  merchant_account: null,
  plan: "starter",
  webhook_secret: "sealed:AAAA",
  previous_webhook_secrets: [],
  created_at: T0,
  suspended_at: null,
  ...said,
})

/** The n-th action of an operator, on account n. */
export const anAuditNote = ({ n = 1, ...said }: Said<AuditNote> = {}): AuditNote => ({
  id: id("aud", n),
  at: T0 + n,
  actor: "operator",
  action: "account.plan_changed",
  target: id("acct", n),
  request_id: `req_${n}`,
  details: { from: "starter", to: "pro" },
  ...said,
})

/** What chains and signs in tests. */
export const auditor = makeVault(new Uint8Array(32).fill(7))

/** {@link anAuditNote} as it is handed to a store. */
export const anAuditAct =
  (said: Said<AuditNote> = {}): AuditAct =>
  (head) =>
    chained(anAuditNote(said), head, auditor)

/** An agent of account 1 that has a business verification. */
export const anAgent = ({ n = 1, ...said }: Said<Agent> = {}): Agent => ({
  id: id("agt", n),
  version: 1,
  account_id: id("acct", 1),
  agent_id: `agent-${n}`,
  level: "business",
  verified: [{ verification_id: id("kyc", n), level: "business", expires_at: null, channels: [] }],
  updated_at: T0,
  ...said,
})

/** An allowance that has counted the code of T0. */
export const anAllowance = ({ n = 1, ...said }: Said<Allowance> = {}): Allowance => ({
  id: id("otpa", n),
  version: 1,
  sent: [T0],
  locked_until: null,
  due_at: T0 + HOUR,
  ...said,
})

const verificationFacts: { readonly [S in keyof VerificationFacts]: VerificationFacts[S] } = {
  unverified: {},
  pending: {
    challenge: {
      number: 1,
      code_hash: hash(1),
      expires_at: T0 + 10 * MINUTE,
      attempts: 2,
      allowances: [id("otpa", 1), id("otpa", 2), id("otpa", 3)],
    },
    tries: 1,
    retry_at: T0 + MINUTE,
  },
  verified: { verified_at: T0, expires_at: T0 + 365 * DAY, noticed: false },
  rejected: {
    rejection: { code: "document_mismatch", message: "It is not.", details: { check: "x" } },
    appeal_id: null,
  },
  expired: { verified_at: T0, expires_at: T0 + 365 * DAY },
}

/** A verification of agent 1 of account 1 in a state. */
export const verificationIn = (
  status: keyof VerificationFacts,
  { n = 1, ...said }: Said<Verification> = {},
): Verification =>
  ({
    id: id("kyc", n),
    version: 1,
    account_id: id("acct", 1),
    agent_id: "agent-1",
    agent: id("agt", 1),
    level: "enhanced",
    sealed: "sealed:CCCC",
    confirmed_channels: [],
    created_at: T0,
    updated_at: T0,
    keep_until: T0 + RETENTION,
    due_at: null,
    status,
    ...verificationFacts[status],
    ...said,
  }) as Verification

/** An appeal of account 1 against verification 1 that nobody has looked at. */
export const anAppeal = ({ n = 1, ...said }: Said<Appeal> = {}): Appeal =>
  ({
    id: id("appl", n),
    version: 1,
    account_id: id("acct", 1),
    verification_id: id("kyc", 1),
    status: "under_review",
    estimated_resolution: T0 + 2 * DAY,
    created_at: T0,
    updated_at: T0,
    ...said,
  }) as Appeal

/** A key of account 1 that neither expires nor is revoked. */
export const anApiKey = ({ n = 1, ...said }: Said<ApiKey> = {}): ApiKey => ({
  id: id("key", n),
  version: 1,
  account_id: id("acct", 1),
  hash: hash(n),
  hint: "sk_test_Ab",
  created_at: T0,
  expires_at: null,
  revoked_at: null,
  minted_by: null,
  restrictions: null,
  suspended_at: null,
  ...said,
})

/** An entry of account 1's log. */
export const aLogEntry = ({ n = 1, ...said }: Said<LogEntry> = {}): LogEntry => ({
  id: id("log", n),
  version: 1,
  account_id: id("acct", 1),
  at: T0,
  actor: id("key", 1),
  action: "api_key.created",
  target: id("key", 2),
  details: { hint: "sk_test_Ab", expires_at: null },
  ...said,
})

/** An active manifest of account 1. */
export const aService = ({ n = 1, ...said }: Said<ServiceManifest> = {}): ServiceManifest => ({
  id: uuid(n),
  version: 1,
  account_id: id("acct", 1),
  name: `Service ${n}`,
  name_key: nameKey(said.name ?? `Service ${n}`),
  description: "Answers questions.",
  payment_methods: { one_time: true },
  pricing: { one_time: [{ amount: 699, currency: "USD", label: "One answer" }] },
  accepted_channels: ["wallet_a", "wallet_b"],
  qr_mode: "dynamic",
  settlement_currency: "USD",
  endpoint: "https://seller.example/hooks",
  tags: ["answers"],
  default_channel: null,
  fallback_channel: null,
  revocation_policy: null,
  status: "active",
  created_at: T0,
  updated_at: T0,
  deprecated_at: null,
  deleted_at: null,
  due_at: null,
  ...said,
})

const common = ({ n = 1, ...said }: Said<IntentCommon>, lifetime: number): IntentCommon => ({
  id: id("pi", n),
  version: 1,
  account_id: id("acct", 1),
  payee_account_id: id("acct", 1),
  payer_account_id: null,
  service_id: uuid(1),
  amount: { currency: "USD", value: 699 },
  settlement: { currency: "USD", value: 699, rate: "1" },
  fees: feesFrom("USD", 3, 0, 4),
  refunded: NOTHING_REFUNDED,
  spending: null,
  description: "One answer",
  payer: { agent_id: null, human_id: null, wallet_id: null },
  payee: { agent_id: "agent-1", merchant_account: null },
  channel: "wallet_a",
  trade_no: null,
  offers: [
    {
      channel: "wallet_a",
      charge_id: id("qr", n),
      qr_data: `svc://pay/${id("pi", n)}`,
      scan_url: `https://pay.example/p/${id("qr", n)}`,
      label: "Wallet A",
    },
  ],
  return_url: null,
  invoice: null,
  metadata: null,
  created_at: T0,
  expires_at: (said.created_at ?? T0) + lifetime,
  channel_asks: null,
  ...said,
})

const scanned = { scanned_at: T0 + 1 * SECOND }
const authorized = { ...scanned, authorized_at: T0 + 2 * SECOND }
const captured = { ...authorized, captured_at: T0 + 3 * SECOND }
const ended = { ended_at: T0 + MINUTE }
const failure = { failure_code: "REJECTED", failure_message: "The payer's wallet refused." }

/** What an intent of Request Payment holds in each state, reached on the usual way. */
export const requestFacts: { readonly [S in keyof RequestFacts]: RequestFacts[S] } = {
  pending: {},
  qr_generated: {},
  scanning: scanned,
  authorized,
  capturing: { ...authorized, capture_request: id("creq", 1), channel_outcome: "pending" },
  captured,
  succeeded: { ...captured, succeeded_at: T0 + 4 * SECOND, channel_txn_id: "trade-1" },
  failed: { ...authorized, ...failure, ...ended },
  expired: { ...scanned, ...ended },
  cancelled: ended,
  voided: { ...authorized, ...ended },
}

/** What an intent of One-Time Pay holds in each state. */
export const oneTimeFacts: { readonly [S in keyof OneTimeFacts]: OneTimeFacts[S] } = {
  pending: {},
  debiting: { debit_request: id("creq", 1), channel_outcome: "pending" },
  completed: { succeeded_at: T0 + SECOND, channel_txn_id: "trade-1", auto_paid: false },
  failed: { ...failure, ...ended },
  expired: ended,
  cancelled: ended,
  voided: ended,
}

/** An intent of Request Payment in a state, created by account 1 for service 1. */
export const intentIn = (
  status: keyof RequestFacts,
  said: Said<IntentCommon> = {},
): RequestPayment =>
  ({
    ...common(said, REQUEST_LIFETIME),
    flow: "request_payment",
    status,
    ...requestFacts[status],
  }) as RequestPayment

/** An intent of One-Time Pay in a state, created by account 1 for service 1. */
export const oneTimeIn = (
  status: keyof OneTimeFacts,
  said: Said<IntentCommon> = {},
): OneTimePayment =>
  ({
    ...common(said, ONE_TIME_LIFETIME),
    flow: "one_time_pay",
    deeplink: status === "debiting" ? null : `svc://pay?intent=${id("pi", said.n ?? 1)}`,
    status,
    ...oneTimeFacts[status],
  }) as OneTimePayment

/** A Request Payment intent that waits for its payer to scan. */
export const anIntent = (said: Said<IntentCommon> = {}): RequestPayment =>
  intentIn("qr_generated", said)

/** An install of service 1 by an agent of account 1, which pays up to five dollars by itself. */
export const anInstall = ({ n = 1, ...said }: Said<Install> = {}): Install => ({
  id: id("ins", n),
  version: 1,
  account_id: id("acct", 1),
  service_id: uuid(1),
  agent_id: `agent-${n}`,
  auto_pay_limit: { currency: "USD", value: 500 },
  channel_preference: "wallet_a",
  channels: ["wallet_a", "wallet_b"],
  spend_cap: { amount: { currency: "USD", value: 10_000 }, period: "monthly" },
  spend_cap_in_force: { amount: { currency: "USD", value: 9_000 }, period: "daily" },
  budget_alerts: [50, 80],
  mandate: { id: id("mnd", n), status: "active", channel: "wallet_a" },
  created_at: T0,
  updated_at: T0,
  ...said,
})

const mandateFacts: { readonly [S in keyof MandateFacts]: MandateFacts[S] & Partial<Mandate> } = {
  pending: { due_at: T0 + 10 * SECOND },
  active: { approved_at: T0 },
  revoked: { revoked_at: T0, asks: 0, due_at: T0 },
}

/** A mandate of install 1 in a state. */
export const mandateIn = (
  status: Mandate["status"],
  { n = 1, ...said }: Said<Mandate> = {},
): Mandate =>
  ({
    id: id("mnd", n),
    version: 1,
    account_id: id("acct", 1),
    install_id: id("ins", 1),
    service_id: uuid(1),
    agent_id: "agent-1",
    channel: "wallet_a",
    auto_pay_limit: { currency: "USD", value: 500 },
    spend_cap: { amount: { currency: "USD", value: 10_000 }, period: "monthly" },
    approval_url: null,
    asks: 0,
    created_at: T0,
    due_at: null,
    status,
    ...mandateFacts[status],
    ...said,
  }) as Mandate

const channelRequestFacts: { readonly [S in keyof ChannelRequestFacts]: ChannelRequestFacts[S] } = {
  outstanding: { due_at: T0 + 10 * SECOND },
  unknown: { due_at: T0 + 10 * SECOND },
  done: { trade_no: "t-1" },
  refused: { failure: "The wallet is closed." },
}

/** A capture of intent 1 in a state. */
export const channelRequestIn = (
  status: ChannelRequest["status"],
  { n = 1, ...said }: Said<Omit<ChannelRequest, "status">> & { readonly due_at?: Timestamp } = {},
): ChannelRequest =>
  ({
    id: id("creq", n),
    version: 1,
    payment_intent: id("pi", 1),
    account_id: id("acct", 1),
    channel: "wallet_a",
    action: "capture",
    charge_id: id("qr", 1),
    trade_no: null,
    amount: { currency: "USD", value: 699 },
    refund: null,
    mandate: null,
    attempts: 0,
    created_at: T0,
    status,
    ...channelRequestFacts[status],
    ...said,
  }) as ChannelRequest

/** One that is under way, and is looked at again after ten seconds. */
export const aChannelRequest = (said?: Parameters<typeof channelRequestIn>[1]): ChannelRequest =>
  channelRequestIn("outstanding", said)

const refundFacts: { readonly [S in keyof RefundFacts]: RefundFacts[S] } = {
  pending: {},
  succeeded: { succeeded_at: T0 + MINUTE },
  failed: { failed_at: T0 + MINUTE, channel_reason: "The wallet is closed." },
}

/** A refund of 200 of intent 1 in a state. */
export const refundIn = (
  status: keyof RefundFacts,
  { n = 1, ...said }: Said<RefundCommon> = {},
): Refund =>
  ({
    id: id("ref", n),
    version: 1,
    payment_intent: id("pi", 1),
    account_id: id("acct", 1),
    payee_account_id: id("acct", 1),
    service_id: uuid(1),
    amount: { currency: "USD", value: 200 },
    settlement: { currency: "USD", value: 200 },
    fx_spread: { currency: "USD", value: 0 },
    service_fee: { currency: "USD", value: 1 },
    partial: true,
    reason: null,
    description: null,
    revoke: null,
    channel: "wallet_a",
    channel_request: id("creq", n),
    created_at: T0,
    updated_at: T0,
    ...said,
    status,
    ...refundFacts[status],
  }) as Refund

/** Money for intent 1 that came too late. */
export const aDiscrepancy = ({ n = 1, ...said }: Said<Discrepancy> = {}): Discrepancy => ({
  id: id("disc", n),
  version: 1,
  account_id: id("acct", 1),
  kind: "late_payment",
  payment_intent: id("pi", 1),
  channel: "wallet_a",
  trade_no: `trade-${n}`,
  expected: "expired",
  actual: "SUCCESS",
  run: null,
  created_at: T0,
  ...said,
})

/** The n-th channel's run for 1 January, which has found nothing. */
export const aRun = ({ n = 1, ...said }: Said<ReconciliationRun> = {}): ReconciliationRun => ({
  id: id("rrun", n),
  version: 1,
  day: "2026-01-01",
  channel: `channel_${n}`,
  runs: 1,
  attempts: 0,
  failure: null,
  result: { lines: 2, booked: 2, discrepancies: 0, unstored: 0, unknown: 0, unknown_lines: [] },
  completed_at: T0,
  due_at: null,
  ...said,
})

/** The journal of a capture: intent n in the books of account 1. */
export const aJournal = ({
  n = 1,
  amount = 699,
  ...said
}: Said<Omit<Posting, "id">> = {}): ReadonlyArray<Posting> =>
  (
    [
      ["channel_clearing", amount],
      ["payer_clearing", -amount],
    ] as const
  ).map(([ledger_account, moved], line) => ({
    id: id("post", 10 * n + line),
    journal: id("jrn", n),
    kind: "captured",
    account_id: id("acct", 1),
    ledger_account,
    channel: "wallet_a",
    currency: "USD",
    amount: moved,
    payment_intent: id("pi", n),
    refund: null,
    created_at: T0,
    ...said,
  }))

/** The fees that account 1 owes for a day. */
export const aFeeDay = ({ n = 1, ...said }: Said<FeeDay> = {}): FeeDay => ({
  id: id("fday", n),
  version: 1,
  account_id: id("acct", 1),
  day: "2026-01-01",
  currency: "USD",
  taken: 0,
  created_at: T0,
  due_at: T0 + DAY,
  ...said,
})

/** The success of intent 1, whose deliveries are to be made at once. */
export const anEvent = ({ n = 1, ...said }: Said<Event> = {}): Event => ({
  id: id("evt", n),
  version: 1,
  account_id: id("acct", 1),
  type: "payment_intent.succeeded",
  service_id: uuid(1),
  subject_id: id("pi", 1),
  data: { id: id("pi", 1), status: "succeeded" },
  traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  created_at: T0,
  due_at: T0,
  ...said,
})

/** The delivery of the event of its number to service 1's endpoint, due at once. */
export const aDelivery = ({ n = 1, ...said }: Said<Delivery> = {}): Delivery => ({
  id: id("wd", n),
  version: 1,
  account_id: id("acct", 1),
  event_id: id("evt", n),
  event_type: "payment_intent.succeeded",
  endpoint_id: null,
  service_id: uuid(1),
  url: "https://seller.example/hooks",
  key_id: null,
  status: "pending",
  attempts: [],
  error: null,
  replay_of: null,
  first_retry: 0,
  created_at: T0,
  due_at: T0,
  ...said,
})

/** The endpoint in the n-th place of account 1, which is told of everything. */
export const anEndpoint = ({ n = 1, ...said }: Said<Endpoint> = {}): Endpoint => ({
  id: id("we", n),
  version: 1,
  account_id: id("acct", 1),
  place: n,
  url: "https://receiver.example/hooks",
  description: null,
  enabled_events: ["*"],
  status: "enabled",
  disabled_reason: null,
  disabled_at: null,
  first_failure_at: null,
  secret: "sealed:BBBB",
  previous_secrets: [],
  encryption: null,
  created_at: T0,
  updated_at: T0,
  ...said,
})

/** The key in the n-th place of account 1. */
export const aWebhookKey = ({ n = 1, ...said }: Said<WebhookKey> = {}): WebhookKey => ({
  id: id("whk", n),
  version: 1,
  account_id: id("acct", 1),
  place: n,
  key_type: "x25519",
  public_key: "hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo=",
  fingerprint: "fp_0123456789abcdef",
  label: null,
  created_at: T0,
  ...said,
})

/** A quote of account 1 for a payment on one channel, unused. */
export const aQuote = ({ n = 1, ...said }: Said<Quote> = {}): Quote => ({
  id: id("fxq", n),
  version: 1,
  account_id: id("acct", 1),
  service_id: null,
  amount: { currency: "USD", value: 100_000 },
  settlement_currency: "EUR",
  routes: [
    {
      channel: "wallet_a",
      score: 1,
      criteria: { fee: 1, rate: 1, speed: 1 },
      fees: feesFrom("EUR", 434, 261, 520),
      settlement: { currency: "EUR", value: 86_739, rate: "0.86739" },
      settles: "real_time",
    },
  ],
  payment_intent: null,
  created_at: T0,
  expires_at: T0 + QUOTE_LIFETIME,
  due_at: T0 + QUOTE_LIFETIME + QUOTE_KEPT,
  ...said,
})

/** What intent 1 is asked for by account 1: one use of one resource. */
export const aChallenge = ({ n = 1, ...said }: Said<Challenge> = {}): Challenge => ({
  id: id("chl", n),
  version: 1,
  account_id: id("acct", 1),
  payment_intent: id("pi", n),
  service_id: uuid(1),
  amount: { currency: "USD", value: 699 },
  resource: "GET /reports/7",
  token_hash: hash(n),
  valid_seconds: null,
  redeemed_at: null,
  created_at: T0,
  expires_at: T0 + REQUEST_LIFETIME,
  due_at: T0 + REQUEST_LIFETIME + UNPAID_KEPT,
  ...said,
})

/** What a consumer of the host's is to be told of intent 1: one event. */
export const aFeed = ({ n = 1, ...said }: Said<Feed> = {}): Feed => ({
  id: id("feed", n),
  version: 1,
  consumer: "orders",
  about: id("pi", n),
  waiting: [id("evt", n)],
  failures: 0,
  created_at: T0,
  due_at: T0,
  ...said,
})

/** The list of the consumer that {@link aFeed} is of. */
export const CONSUMER_LIST: ConsumerList = {
  id: CONSUMERS,
  version: 1,
  names: ["orders"],
  created_at: T0,
}

/** The mark of a running request of account 1. */
export const aReply = ({ n = 1, ...said }: Said<Reply> = {}): Reply => ({
  account_id: id("acct", 1),
  key: `retry-${n}`,
  fingerprint: hash(n),
  holder: uuid(1),
  answer: null,
  lease_until: (said.created_at ?? T0) + RUNNING_LEASE,
  created_at: T0,
  expires_at: (said.created_at ?? T0) + KEPT_FOR,
  ...said,
})

/** A token of account 1 that intent 1 bought. */
export const anAccessItem = ({ n = 1, ...said }: Said<AccessItem> = {}): AccessItem => ({
  id: id("ai", n),
  version: 1,
  account_id: id("acct", 1),
  type: "access_token",
  item_id: `token-${n}`,
  item_key: hash(n),
  payment_intent: id("pi", 1),
  scopes: ["read:full"],
  revoked: [],
  created_at: T0,
  ...said,
})

const notFound = {
  code: "revocation_target_not_found",
  message: "There is no such target.",
} as const

/** What a revocation holds in each state, reached on the shortest way. */
export const revocationFacts: { readonly [S in keyof RevocationFacts]: RevocationFacts[S] } = {
  pending: { due_at: T0 },
  revoked: { revoked_at: T0 + SECOND, due_at: T0 + 90 * DAY },
  failed: { error: notFound, failed_at: T0 + 21 * SECOND, due_at: null },
  expired: { revoked_at: T0 + SECOND, due_at: null },
}

/** The only revocation of refund n, in a state. */
export const revocationIn = (
  status: keyof RevocationFacts,
  { n = 1, ...said }: Said<RevocationCommon & { readonly due_at: Timestamp | null }> = {},
): Revocation =>
  ({
    id: id("rvk", n),
    version: 1,
    account_id: id("acct", 1),
    refund: id("ref", n),
    payment_intent: id("pi", 1),
    service_id: uuid(1),
    position: 0,
    batch_size: 1,
    target_type: "access_token",
    target_id: `token-${n}`,
    scope: "all",
    notify: true,
    strict: false,
    attempts: status === "pending" ? 0 : 1,
    error: null,
    created_at: T0,
    status,
    ...revocationFacts[status],
    ...said,
  }) as Revocation

const subscriptionFacts: { readonly [S in keyof SubscriptionFacts]: SubscriptionFacts[S] } = {
  active: {},
  past_due: { past_due_at: T0 + 7 * DAY },
  cancelled: { cancelled_at: T0 + 14 * DAY, cancel_reason: "unpaid" },
}

/** A monthly subscription of account 2 to service 1 of account 1, in its first month. */
export const subscriptionIn = (
  status: keyof SubscriptionFacts,
  { n = 1, ...said }: Said<SubscriptionCommon> = {},
): Subscription =>
  ({
    id: id("sub", n),
    version: 1,
    account_id: id("acct", 2),
    payee_account_id: id("acct", 1),
    service_id: uuid(1),
    plan_id: "pro",
    plan_name: "Pro",
    interval: "monthly",
    amount: { currency: "USD", value: 1_999 },
    payer: { agent_id: "agent-2", human_id: null },
    anchor_at: T0,
    period: 0,
    current_period_start: T0,
    current_period_end: T0 + 31 * DAY,
    cancel_at_period_end: false,
    latest_invoice: id("inv", n),
    created_at: T0,
    due_at: status === "cancelled" ? null : T0 + 31 * DAY,
    ...said,
    status,
    ...subscriptionFacts[status],
  }) as Subscription

const invoiceFacts: { readonly [S in keyof InvoiceFacts]: InvoiceFacts[S] } = {
  open: {},
  paid: { paid_at: T0 + DAY },
  void: { voided_at: T0 + DAY },
  uncollectible: { given_up_at: T0 + 14 * DAY },
}

/** The invoice of its number's subscription for its first month, in a state. */
export const invoiceIn = (
  status: keyof InvoiceFacts,
  { n = 1, ...said }: Said<Invoice> = {},
): Invoice => {
  const amount = { currency: "USD", value: 1_999 }
  const terms = {
    account_id: id("acct", 2),
    payee_account_id: id("acct", 1),
    service_id: uuid(1),
    subscription: id("sub", n),
    tab: null,
    payer: { agent_id: "agent-2", human_id: null },
    lines: [{ description: "Pro", quantity: "1", unit_amount: "1999", amount }],
    amount,
    period: 0,
    period_start: T0,
    period_end: T0 + 31 * DAY,
  }
  return {
    ...draft(id("inv", n), terms, T0),
    ...said,
    ...(status !== "open" && { due_at: null }),
    status,
    ...invoiceFacts[status],
  } as Invoice
}

/** What agent 2 of account 2 has used of service 1 since T0, billed monthly. */
export const aTab = ({ n = 1, ...said }: Said<Tab> = {}): Tab => ({
  id: id("tab", n),
  version: 1,
  account_id: id("acct", 2),
  payee_account_id: id("acct", 1),
  service_id: uuid(1),
  agent_id: "agent-2",
  human_id: null,
  status: "open",
  price: { unit: "request", rate: "0.25", currency: "USD", billing_cycle: "monthly" },
  anchor_at: T0,
  base: 0,
  period: 0,
  period_start: T0,
  period_end: T0 + 31 * DAY,
  closing: null,
  created_at: T0,
  due_at: T0 + 31 * DAY,
  ...said,
})

/** Two and a half requests on tab 1, in its first month. */
export const aUsage = ({ n = 1, ...said }: Said<UsageRecord> = {}): UsageRecord => ({
  id: id("use", n),
  version: 1,
  account_id: id("acct", 1),
  service_id: uuid(1),
  tab: id("tab", 1),
  period: 0,
  agent_id: "agent-2",
  quantity: "2.5",
  occurred_at: T0,
  idempotency_key: `key-${n}`,
  created_at: T0,
  ...said,
})

/** The first month of an account that is on a starter's plan. */
export const aCycle = ({ n = 1, ...said }: Said<BillingCycle> = {}): BillingCycle => ({
  ...openCycle(anAccount({ n }), T0),
  ...said,
})

/** A month in which an account used nothing but its plan; the n-th is n months from the first. */
export const aStatement = ({ n = 1, ...said }: Said<Statement> = {}): Statement => {
  const month = `${2026 + Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, "0")}`
  const used = { month, plan: "starter", opened_at: 0, counts: () => 0, volumes: [] } as const
  return {
    id: id("stmt", n),
    version: 1,
    account_id: id("acct", 1),
    month,
    bill: billOf(used),
    created_at: T0,
    ...said,
  }
}
