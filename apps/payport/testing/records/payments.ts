import { type Challenge, UNPAID_KEPT } from "../../../../core/challenges/Challenge.ts"
import type { OneTimeFacts } from "../../../../core/payments/OneTimePay.ts"
import {
  type IntentCommon,
  ONE_TIME_LIFETIME,
  type OneTimePayment,
  REQUEST_LIFETIME,
  type RequestPayment,
} from "../../../../core/payments/PaymentIntent.ts"
import { NOTHING_REFUNDED } from "../../../../core/payments/Refunded.ts"
import type { RequestFacts } from "../../../../core/payments/RequestPayment.ts"
import { feesFrom } from "../../../../core/pricing/Price.ts"
import { type Quote, QUOTE_KEPT, QUOTE_LIFETIME } from "../../../../core/quotes/Quote.ts"
import type {
  RefundRequest,
  RefundRequestCommon,
  RefundRequestFacts,
} from "../../../../core/refundRequests/RefundRequest.ts"
import type { Refund, RefundCommon } from "../../../../core/refunds/Refund.ts"
import type { RefundFacts } from "../../../../core/refunds/RefundMachine.ts"
import type { AccessItem } from "../../../../core/revocations/AccessItem.ts"
import type {
  Revocation,
  RevocationCommon,
  RevocationFacts,
} from "../../../../core/revocations/Revocation.ts"
import { DAY, MINUTE, SECOND, type Timestamp } from "../../../../core/shared/Timestamp.ts"
import { T0, uuid, id, hash, type Said } from "./ids.ts"

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
  traceparent: null,
  ...said,
})

const scanned = { scanned_at: T0 + 1 * SECOND }
const authorized = { ...scanned, authorized_at: T0 + 2 * SECOND }
const captured = { ...authorized, captured_at: T0 + 3 * SECOND }
const ended = { ended_at: T0 + MINUTE }
const failure = { failure_code: "REJECTED", failure_message: "The payer's wallet refused." }

/** The facts of an intent of Request Payment in each state, reached on the usual path. */
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

/** The facts of an intent of One-Time Pay in each state. */
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

/** The challenge of account 1 for intent 1: one use of one resource. */
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
  payment_identifier: null,
  redeemed_at: null,
  created_at: T0,
  expires_at: T0 + REQUEST_LIFETIME,
  idle_seconds: null,
  drawn: null,
  closed_at: null,
  rest_refund: null,
  due_at: T0 + REQUEST_LIFETIME + UNPAID_KEPT,
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

/** The facts of a revocation in each state, reached on the shortest path. */
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

const refundRequestFacts: {
  readonly [S in keyof RefundRequestFacts]: RefundRequestFacts[S] & Partial<RefundRequest>
} = {
  open: { due_at: T0 + DAY },
  approved: { resolved_at: T0 + MINUTE, refund: id("ref", 1) },
  declined: { resolved_at: T0 + MINUTE, decline_reason: "It was delivered." },
  withdrawn: { resolved_at: T0 + MINUTE },
  expired: { resolved_at: T0 + DAY },
}

/** A request for 200 of the n-th intent in a state. */
export const refundRequestIn = (
  status: RefundRequest["status"],
  { n = 1, ...said }: Said<RefundRequestCommon> = {},
): RefundRequest =>
  ({
    id: id("rr", n),
    version: 1,
    payment_intent: id("pi", n),
    account_id: id("acct", 1),
    payee_account_id: id("acct", 2),
    service_id: uuid(1),
    amount: { currency: "USD", value: 200 },
    reason: "It came too late.",
    created_at: T0,
    updated_at: T0,
    expires_at: T0 + DAY,
    due_at: null,
    status,
    ...refundRequestFacts[status],
    ...said,
  }) as RefundRequest
