import { usageCounter } from "../../core/billing/Meter.ts"
import { monthOf } from "../../core/shared/Month.ts"
import type { Challenge } from "../../core/challenges/Challenge.ts"
import type { ChannelRequest } from "../../core/gateway/ChannelRequest.ts"
import type { Discrepancy } from "../../core/gateway/Discrepancy.ts"
import type { ReconciliationRun } from "../../core/reports/ReconciliationRun.ts"
import type { Reply } from "../../core/idempotency/Reply.ts"
import type { Install } from "../../core/installs/Install.ts"
import type { Mandate } from "../../core/installs/Mandate.ts"
import type { Allowance } from "../../core/kyc/codes/Allowance.ts"
import type { Verification } from "../../core/kyc/verifications/Verification.ts"
import type { FeeDay } from "../../core/ledger/FeeDay.ts"
import { heldPlaces } from "../../core/payments/writeMove.ts"
import { dueAt } from "../../core/payments/PaymentIntent.ts"
import type { Kind, Records } from "../../core/ports/Store.ts"
import type { Refund } from "../../core/refunds/Refund.ts"
import type { Quote } from "../../core/quotes/Quote.ts"
import type { ServiceManifest } from "../../core/registry/ServiceManifest.ts"
import type { AccessItem } from "../../core/revocations/AccessItem.ts"
import type { Revocation } from "../../core/revocations/Revocation.ts"
import type { Timestamp } from "../../core/shared/Timestamp.ts"
import { claimed, type Delivery, receiverOf } from "../../core/webhooks/deliveries/Delivery.ts"
import type { Endpoint } from "../../core/webhooks/endpoints/Endpoint.ts"
import type { WebhookKey } from "../../core/webhooks/keys/WebhookKey.ts"
import { judgedAt } from "../../core/webhooks/endpoints/EndpointHealth.ts"
import type { Event } from "../../core/webhooks/events/Event.ts"
import { subscriptionTables } from "./subscriptionTables.ts"
import { AuditLog } from "./AuditLog.ts"
import { billingTables } from "./billingTables.ts"
import { Ledger } from "./Ledger.ts"
import { Table } from "./Table.ts"

type Tables = { readonly [K in Kind]: Table<Records[K]> }

/** Everything that the memory store keeps. */
export interface State {
  readonly tables: Tables
  /** The owner of each claimed key. */
  readonly keys: Map<string, string>
  readonly counters: Map<string, number>
  readonly replies: Map<string, Reply>
  readonly ledger: Ledger
  readonly audit: AuditLog
}

export const serviceName = (accountId: string, nameKey: string): string =>
  `name ${accountId} ${nameKey}`

export const activeServiceName = (nameKey: string): string => `active_name ${nameKey}`

export const replyId = (accountId: string, key: string): string => `${accountId} ${key}`

type Placed = Pick<Endpoint | WebhookKey, "account_id" | "place">

/** What takes one of its account's places. */
const placed = {
  names: ({ account_id, place }: Placed) => [`${account_id} ${place}`],
  accounts: ({ account_id }: Placed) => [account_id],
}

const due = { dueAt: ({ due_at }: { readonly due_at: Timestamp | null }) => due_at }

const serviceNames = (service: ServiceManifest): ReadonlyArray<string> => [
  ...(service.status === "deleted" ? [] : [serviceName(service.account_id, service.name_key)]),
  ...(service.status === "active" ? [activeServiceName(service.name_key)] : []),
]

/** An event is told to a receiver once, but for what it is asked to be told again. */
const deliveryNames = (delivery: Delivery): ReadonlyArray<string> =>
  delivery.replay_of === null ? [`${delivery.event_id} ${receiverOf(delivery)}`] : []

export const makeState = (): State => ({
  tables: {
    account: new Table({ names: ({ agent_id }) => [agent_id] }),
    agent: new Table(),
    api_key: new Table({
      names: ({ hash }) => [hash],
      accounts: ({ account_id }) => [account_id],
    }),
    service: new Table<ServiceManifest>({ ...due, names: serviceNames }),
    payment_intent: new Table({
      dueAt,
      accounts: ({ account_id, payee_account_id, payer_account_id }) => [
        account_id,
        payee_account_id,
        ...(payer_account_id === null ? [] : [payer_account_id]),
      ],
    }),
    channel_request: new Table<ChannelRequest>({
      dueAt: (request) => ("due_at" in request ? request.due_at : null),
    }),
    refund: new Table<Refund>({
      accounts: ({ payee_account_id, payment_intent }) => [payee_account_id, payment_intent],
    }),
    discrepancy: new Table<Discrepancy>({
      accounts: ({ account_id, run }) => (run === null ? [account_id] : [account_id, run]),
    }),
    event: new Table<Event>({ ...due, accounts: ({ account_id }) => [account_id] }),
    delivery: new Table<Delivery>({
      ...due,
      claimed,
      receiver: receiverOf,
      names: deliveryNames,
      accounts: ({ account_id }) => [account_id],
    }),
    quote: new Table<Quote>(due),
    fee_day: new Table<FeeDay>(due),
    endpoint: new Table<Endpoint>({ dueAt: judgedAt, ...placed }),
    webhook_key: new Table<WebhookKey>(placed),
    access_item: new Table<AccessItem>({
      names: ({ account_id, item_key }) => [`${account_id} ${item_key}`],
      accounts: ({ item_key, payment_intent }) =>
        payment_intent === null ? [] : [payment_intent, item_key],
    }),
    revocation: new Table<Revocation>({
      ...due,
      accounts: ({ payment_intent, refund }) => [refund, payment_intent],
    }),
    verification: new Table<Verification>({
      ...due,
      accounts: ({ account_id, agent }) => [account_id, agent],
    }),
    appeal: new Table(),
    otp_allowance: new Table<Allowance>(due),
    reconciliation_run: new Table<ReconciliationRun>(due),
    ...billingTables(),
    install: new Table<Install>({
      accounts: ({ account_id, service_id }) => [account_id, `${account_id} ${service_id}`],
    }),
    mandate: new Table<Mandate>(due),
    ...subscriptionTables(),
    challenge: new Table<Challenge>(due),
  },
  keys: new Map(),
  counters: new Map(),
  replies: new Map(),
  ledger: new Ledger(),
  audit: new AuditLog(),
})

/**
 * The kinds of record that make up an account's data: all but the account and its API keys, and the
 * codes that were sent, so that nobody gets more of them by erasing. Runs are of no single account.
 */
const DATA = [
  "agent",
  "service",
  "payment_intent",
  "channel_request",
  "refund",
  "discrepancy",
  "event",
  "delivery",
  "quote",
  "fee_day",
  "endpoint",
  "webhook_key",
  "access_item",
  "revocation",
  "verification",
  "appeal",
  "install",
  "mandate",
  "subscription",
  "invoice",
  "tab",
  "usage_record",
  "challenge",
] as const satisfies ReadonlyArray<Kind>

/**
 * Payments are what their QR codes are counted by: a month's count outlives them as a counter. What
 * they hold of limits they give back.
 */
const settleCounters = ({ counters, tables }: State, accountId: string): void => {
  for (const intent of tables.payment_intent.values()) {
    const { account_id, created_at, offers } = intent
    if (account_id !== accountId) continue
    for (const { add, counter } of heldPlaces(intent)) {
      const value = counters.get(counter)
      if (value !== undefined) counters.set(counter, value + add)
    }
    if (offers.length === 0) continue
    const counter = usageCounter(accountId, monthOf(created_at), "qr-generation")
    counters.set(counter, (counters.get(counter) ?? 0) + offers.length)
  }
}

/** Removes an account's data, gives back the keys that its records own, and forgets its replies. */
export const erase = (state: State, accountId: string): void => {
  settleCounters(state, accountId)
  const erased = new Set<string>()
  for (const table of DATA.map((kind) => state.tables[kind])) {
    for (const { id, account_id } of table.values()) {
      if (account_id === accountId) {
        table.delete(id)
        erased.add(id)
      }
    }
  }
  for (const [key, owner] of state.keys) {
    if (erased.has(owner)) state.keys.delete(key)
  }
  state.ledger.close(accountId)
  for (const [id, reply] of state.replies) {
    if (reply.account_id === accountId) state.replies.delete(id)
  }
}
