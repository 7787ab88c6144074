import type { DueKind, Records } from "../../../../core/ports/Store.ts"
import { DAY, type Timestamp } from "../../../../core/shared/Timestamp.ts"
import {
  aChallenge,
  aChannelRequest,
  channelRequestIn,
  aCycle,
  aDelivery,
  aFeed,
  aFeeDay,
  anAllowance,
  anEndpoint,
  aQuote,
  aRun,
  aTab,
  anEvent,
  aListing,
  anIntent,
  aService,
  id,
  mandateIn,
  invoiceIn,
  refundRequestIn,
  revocationIn,
  subscriptionIn,
  T0,
  verificationIn,
} from "../records/index.ts"

const ended = { status: "deleted", deprecated_at: T0, deleted_at: T0 } as const

/** The n-th record of each kind, due at a time. */
export const dueRecord: { readonly [K in DueKind]: (n: number, at: Timestamp) => Records[K] } = {
  payment_intent: (n, at) => anIntent({ n, expires_at: at }),
  channel_request: (n, due_at) => aChannelRequest({ n, due_at }),
  event: (n, due_at) => anEvent({ n, due_at }),
  endpoint: (n, at) =>
    anEndpoint({
      n,
      account_id: id("acct", 1 + Math.floor(n / 50)),
      place: 1 + (n % 50),
      first_failure_at: at - 5 * DAY,
    }),
  delivery: (n, due_at) => aDelivery({ n, due_at }),
  quote: (n, due_at) => aQuote({ n, due_at }),
  service: (n, due_at) => aService({ n, ...ended, due_at }),
  fee_day: (n, due_at) => aFeeDay({ n, due_at }),
  revocation: (n, due_at) => revocationIn("pending", { n, due_at }),
  verification: (n, due_at) => verificationIn("verified", { n, due_at }),
  otp_allowance: (n, due_at) => anAllowance({ n, due_at }),
  reconciliation_run: (n, due_at) => aRun({ n, due_at }),
  billing_cycle: (n, due_at) => aCycle({ n, due_at }),
  mandate: (n, due_at) => mandateIn("revoked", { n, due_at }),
  subscription: (n, due_at) => subscriptionIn("past_due", { n, due_at }),
  invoice: (n, due_at) => invoiceIn("open", { n, due_at }),
  tab: (n, due_at) => aTab({ n, due_at }),
  challenge: (n, due_at) => aChallenge({ n, due_at }),
  feed: (n, due_at) => aFeed({ n, due_at }),
  listing: (n, due_at) =>
    aListing({
      n,
      account_id: id("acct", 1 + Math.floor(n / 50)),
      place: 1 + (n % 50),
      due_at,
    }),
  refund_request: (n, due_at) => refundRequestIn("open", { n, due_at }),
}

/** The same record in its next version, never due again. */
export const atRest: { readonly [K in DueKind]: (record: Records[K]) => Records[K] } = {
  payment_intent: (record) => ({
    ...record,
    status: "expired",
    ended_at: record.expires_at,
    trade_no: "trade-1",
  }),
  channel_request: ({ id: named, version }) => channelRequestIn("done", { id: named, version }),
  event: (record) => ({ ...record, due_at: null }),
  endpoint: (record) => ({ ...record, first_failure_at: null }),
  delivery: (record) => ({ ...record, status: "delivered", due_at: null }),
  quote: (record) => ({ ...record, due_at: null }),
  service: (record) => ({ ...record, due_at: null }),
  fee_day: (record) => ({ ...record, due_at: null }),
  revocation: (record) => ({ ...record, status: "pending", due_at: null }),
  verification: (record) => ({ ...record, due_at: null }),
  otp_allowance: (record) => ({ ...record, due_at: null }),
  reconciliation_run: (record) => ({ ...record, due_at: null }),
  billing_cycle: (record) => ({ ...record, due_at: null }),
  mandate: (record) => ({ ...record, due_at: null }),
  subscription: ({ id: name, version }) => ({ ...subscriptionIn("cancelled"), id: name, version }),
  invoice: (record) => ({ ...record, status: "paid", paid_at: T0, due_at: null }),
  tab: (record) => ({ ...record, status: "closed", due_at: null }),
  challenge: (record) => ({ ...record, due_at: null }),
  feed: (record) => ({ ...record, due_at: null }),
  listing: (record) => ({ ...record, due_at: null }),
  refund_request: ({ id: name, version }) => ({
    ...refundRequestIn("withdrawn"),
    id: name,
    version,
  }),
}
