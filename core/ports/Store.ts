import { Context, Data, type Effect } from "effect"
import type { Account } from "../accounts/Account.ts"
import type { ApiKey } from "../accounts/ApiKey.ts"
import type { AuditNote } from "../audit/AuditEntry.ts"
import type { BillingCycle } from "../billing/BillingCycle.ts"
import type { Statement } from "../billing/Statement.ts"
import type { Challenge } from "../challenges/Challenge.ts"
import type { ChannelRequest } from "../channels/ChannelRequest.ts"
import type { Discrepancy } from "../channels/Discrepancy.ts"
import type { Reply } from "../idempotency/Reply.ts"
import type { Install } from "../installs/Install.ts"
import type { Mandate } from "../installs/Mandate.ts"
import type { Agent } from "../kyc/Agent.ts"
import type { Allowance } from "../kyc/Allowance.ts"
import type { Appeal } from "../kyc/Appeal.ts"
import type { Verification } from "../kyc/Verification.ts"
import type { FeeDay } from "../ledger/FeeDay.ts"
import type {
  Balance,
  Cleared,
  ClearingQuery,
  DayTotal,
  EntryQuery,
  TotalsQuery,
} from "../ledger/LedgerQuery.ts"
import type { Posting } from "../ledger/Posting.ts"
import type { PaymentIntent } from "../payments/PaymentIntent.ts"
import type { Quote } from "../pricing/Quote.ts"
import type { ReconciliationRun } from "../reports/ReconciliationRun.ts"
import type { ManifestStatus, ServiceManifest } from "../registry/ServiceManifest.ts"
import type { Refund } from "../refunds/Refund.ts"
import type { InvoiceQuery, SubscriptionQuery } from "../subscriptions/InvoiceQuery.ts"
import type { Invoice } from "../subscriptions/Invoice.ts"
import type { Subscription } from "../subscriptions/Subscription.ts"
import type { Tab } from "../subscriptions/Tab.ts"
import type { UsageRecord, UsageSum } from "../subscriptions/Usage.ts"
import type { AccessItem } from "../revocations/AccessItem.ts"
import type { Revocation } from "../revocations/Revocation.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { Delivery } from "../webhooks/Delivery.ts"
import type { Endpoint } from "../webhooks/Endpoint.ts"
import type { Event, EventType } from "../webhooks/Event.ts"
import type { WebhookKey } from "../webhooks/WebhookKey.ts"
import type { BillingReads } from "./BillingReads.ts"
import type { ClaimOptions } from "./ClaimOptions.ts"
import type { OperatorReads } from "./OperatorReads.ts"

export type { ClaimOptions, Shares } from "./ClaimOptions.ts"

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

/**
 * One change of one record. `insert` needs version 1. `replace` and `remove` name the version that
 * was read: the stored record has to have it still, and a replaced one gets the next.
 */
export type Write = {
  readonly [K in Kind]: {
    readonly op: "insert" | "replace" | "remove"
    readonly kind: K
    readonly record: Records[K]
  }
}[Kind]

/**
 * A version that a decision rests on, of a record that the commit does not change. It is compared
 * when the commit is decided, without a lock: a change that another process commits in that instant
 * counts as having come after.
 */
export interface Guard {
  readonly kind: Kind
  readonly id: string
  readonly version: number
}

/** Takes a name that only one owner can hold, or gives it back. */
export interface KeyChange {
  readonly op: "claim" | "release"
  readonly key: string
  readonly owner: string
}

/** Adds to a counter unless it would pass `limit`. Negative amounts give back. */
export interface Reservation {
  readonly counter: string
  readonly add: number
  readonly limit: number
}

/** The whole outcome of a decision. All of it is stored, or none. */
export interface Commit {
  readonly writes: ReadonlyArray<Write>
  readonly events?: ReadonlyArray<Event>
  readonly guards?: ReadonlyArray<Guard>
  readonly keys?: ReadonlyArray<KeyChange>
  readonly reservations?: ReadonlyArray<Reservation>
  /** Rows of the ledger. Journals that do not sum to zero are a defect. */
  readonly postings?: ReadonlyArray<Posting>
  /**
   * Stored where none with the id is there yet. One that has been claimed since it was stored is
   * due again: its fees have changed.
   */
  readonly fee_days?: ReadonlyArray<FeeDay>
  readonly reply?: Reply
  /** Becomes the last entry of the audit log, which the store chains to the one before it. */
  readonly audit?: AuditNote
}

/** What stood in the way of a commit; the decision was taken on values that have changed. */
export type ConflictReason =
  | { readonly type: "stale_version"; readonly kind: Kind; readonly id: string }
  | { readonly type: "key_taken"; readonly key: string; readonly owner: string }
  | { readonly type: "limit_reached"; readonly counter: string; readonly value: number }
  | { readonly type: "reply_taken" }

/** A commit that was refused as a whole. Nothing of it was stored: read again and decide again. */
export class Conflict extends Data.TaggedError("Conflict")<{ readonly reason: ConflictReason }> {}

/**
 * The store did not answer. With `outcome` "not_stored" nothing happened; with "unknown" a commit
 * may or may not have been stored, and only reading again tells.
 */
export class StoreUnavailable extends Data.TaggedError("StoreUnavailable")<{
  readonly outcome: "not_stored" | "unknown"
  readonly cause: unknown
}> {}

/** A key that a caller presented, with the account that it opens. */
export interface Credential {
  readonly api_key: ApiKey
  readonly account: Account
}

/** What `GET /v1/services` asks (Service registry). `viewer` is the asking account. */
export interface ServiceSearch {
  readonly q?: string
  readonly channel?: string
  readonly payment_method?: "one_time" | "cumulative" | "subscription"
  readonly status: ManifestStatus
  readonly viewer: string
  readonly limit: number
  readonly offset: number
}

/** What `GET /v1/payment-intents` asks: newest first, from behind `starting_after`. */
export interface IntentQuery {
  readonly viewer: string
  readonly service_id?: string
  readonly statuses?: ReadonlyArray<PaymentIntent["status"]>
  /** Inclusive. */
  readonly created_after?: Timestamp
  /** Exclusive. */
  readonly created_before?: Timestamp
  readonly starting_after?: string
  readonly limit: number
  /** Intents that are due at this time are expired, whatever their stored status says. */
  readonly now: Timestamp
}

/** A page of what an account has: newest first, from behind `starting_after`. */
export interface OwnQuery {
  readonly account_id: string
  readonly starting_after?: string
  readonly limit: number
}

/** An account's installs, or those of one service, by their ids from behind `starting_after`. */
export interface InstallQuery extends OwnQuery {
  readonly service_id?: string
}

/** What `GET /v1/events` asks: the account's log, newest first. */
export interface EventQuery {
  readonly account_id: string
  readonly type?: EventType
  readonly starting_after?: string
  readonly limit: number
}

/** What `GET /v1/webhook-deliveries` asks: the account's deliveries, newest first. */
export interface DeliveryQuery {
  readonly account_id: string
  readonly endpoint_id?: string
  readonly event_id?: string
  readonly status?: Delivery["status"]
  readonly starting_after?: string
  readonly limit: number
}

/**
 * What `GET /v1/refunds` asks: newest first, from behind `starting_after`; those of a payment, or
 * all that an account has given.
 */
export type RefundQuery = (
  | { readonly payment_intent: string }
  | { readonly payee_account_id: string }
) & { readonly starting_after?: string; readonly limit: number }

/** Verifications of an agent, by the id of its record, or of an account: newest first. */
export type VerificationQuery = ({ readonly agent: string } | { readonly account_id: string }) & {
  readonly limit: number
}

/** What was found out about an account from a time until before another, or by a run. */
export type DiscrepancyQuery = (
  | { readonly account_id: string; readonly from: Timestamp; readonly to: Timestamp }
  | { readonly run: string }
) & { readonly limit: number }

/** A page of a list with how many there are in all. */
export interface Found<A> {
  readonly data: ReadonlyArray<A>
  readonly total: number
}

/** Who wants to hear of changed manifests. */
export type ServiceListener = (ids: ReadonlyArray<string> | "everything") => void

type OtherReads = BillingReads & OperatorReads

type Read<A> = Effect.Effect<A, StoreUnavailable>

/**
 * Where everything is kept. There is one way to write, `commit`; reads are named after the question
 * that they answer. A record that does not exist reads as undefined.
 */
export class Store extends Context.Service<
  Store,
  OtherReads & {
    /**
     * Stores the whole outcome of a decision, or refuses it as a whole. Durable when it succeeds.
     * Commits that arrive while others are on their way leave together in the next group.
     */
    readonly commit: (commit: Commit) => Effect.Effect<void, Conflict | StoreUnavailable>

    readonly findCredential: (hash: string) => Read<Credential | undefined>
    readonly findAccount: (id: string) => Read<Account | undefined>
    readonly findAccountByAgent: (agentId: string) => Read<Account | undefined>
    /** By the id of its record, see `agentRecordId`. */
    readonly findAgent: (id: string) => Read<Agent | undefined>
    readonly findVerification: (id: string) => Read<Verification | undefined>
    readonly listVerifications: (query: VerificationQuery) => Read<ReadonlyArray<Verification>>
    readonly findAppeal: (id: string) => Read<Appeal | undefined>
    readonly findAllowance: (id: string) => Read<Allowance | undefined>
    /** By its id, see `installId`. */
    readonly findInstall: (id: string) => Read<Install | undefined>
    /** The last id first. */
    readonly listInstalls: (query: InstallQuery) => Read<ReadonlyArray<Install>>
    readonly findMandate: (id: string) => Read<Mandate | undefined>
    /** What a counter of reservations stands at; 0 for one that nobody has added to. */
    readonly findCounter: (counter: string) => Read<number>
    readonly findApiKey: (id: string) => Read<ApiKey | undefined>
    readonly listApiKeys: (query: OwnQuery) => Read<ReadonlyArray<ApiKey>>
    readonly findService: (id: string) => Read<ServiceManifest | undefined>
    /** The account's own manifest of that name that is not deleted. */
    readonly findServiceByName: (
      accountId: string,
      nameKey: string,
    ) => Read<ServiceManifest | undefined>
    /** The active manifest of that name, whoever owns it. */
    readonly findActiveServiceByName: (nameKey: string) => Read<ServiceManifest | undefined>
    readonly searchServices: (search: ServiceSearch) => Read<{
      readonly data: ReadonlyArray<ServiceManifest>
      readonly total: number
    }>
    /** The active manifests in the order of their ids, beginning with `from` where it is given. */
    readonly listActiveServices: (query: {
      readonly from?: string
      readonly limit: number
    }) => Read<ReadonlyArray<ServiceManifest>>
    readonly findIntent: (id: string) => Read<PaymentIntent | undefined>
    /** Those that there are of the payments with these ids, in any order. */
    readonly findIntents: (ids: ReadonlyArray<string>) => Read<ReadonlyArray<PaymentIntent>>
    readonly listIntents: (query: IntentQuery) => Read<ReadonlyArray<PaymentIntent>>
    readonly findReply: (accountId: string, key: string) => Read<Reply | undefined>
    readonly findChannelRequest: (id: string) => Read<ChannelRequest | undefined>
    readonly findRefund: (id: string) => Read<Refund | undefined>
    /** Those that there are of the refunds with these ids, in any order. */
    readonly findRefunds: (ids: ReadonlyArray<string>) => Read<ReadonlyArray<Refund>>
    readonly listRefunds: (query: RefundQuery) => Read<ReadonlyArray<Refund>>
    readonly findSubscription: (id: string) => Read<Subscription | undefined>
    readonly listSubscriptions: (query: SubscriptionQuery) => Read<Found<Subscription>>
    readonly findInvoice: (id: string) => Read<Invoice | undefined>
    readonly listInvoices: (query: InvoiceQuery) => Read<Found<Invoice>>
    /** Those of a subscription that wait for their payment, oldest first. */
    readonly listOpenInvoices: (subscriptionId: string) => Read<ReadonlyArray<Invoice>>
    /** By what its id is made of, see `tabName`. */
    readonly findTab: (id: string) => Read<Tab | undefined>
    /** By what its id is made of, see `usageName`. */
    readonly findUsage: (id: string) => Read<UsageRecord | undefined>
    /** What was used in a period of a tab. */
    readonly sumUsage: (tabId: string, period: number) => Read<UsageSum>
    readonly findEvent: (id: string) => Read<Event | undefined>
    readonly listPostings: (query: EntryQuery) => Read<ReadonlyArray<Posting>>
    /** By day, channel, currency, ledger account and kind, in that order; kept with each commit. */
    readonly listDayTotals: (query: TotalsQuery) => Read<ReadonlyArray<DayTotal>>
    /** Days added up: by currency, ledger account and kind, in that order. */
    readonly sumDays: (query: TotalsQuery) => Read<ReadonlyArray<Balance>>
    /**
     * What the account's books have come to since they were opened: by currency, ledger account and
     * kind, in that order. Kept with each commit, so it takes no longer for many days.
     */
    readonly listBalances: (accountId: string) => Read<ReadonlyArray<Balance>>
    /** What of a channel's money was taken and given back, whoever's it was, oldest first. */
    readonly listClearing: (query: ClearingQuery) => Read<ReadonlyArray<Cleared>>
    /** Oldest first. */
    readonly listDiscrepancies: (query: DiscrepancyQuery) => Read<ReadonlyArray<Discrepancy>>
    /** By day and channel; days as `2026-01-31`, from the first to the last of them. */
    readonly listRuns: (from: string, to: string) => Read<ReadonlyArray<ReconciliationRun>>
    readonly findRun: (id: string) => Read<ReconciliationRun | undefined>
    /** Those that there are of the events with these ids, in any order. */
    readonly findEvents: (ids: ReadonlyArray<string>) => Read<ReadonlyArray<Event>>
    readonly listEvents: (query: EventQuery) => Read<ReadonlyArray<Event>>
    readonly listDeliveries: (query: DeliveryQuery) => Read<ReadonlyArray<Delivery>>
    readonly findQuote: (id: string) => Read<Quote | undefined>
    /** By its id, see `challengeId`. */
    readonly findChallenge: (id: string) => Read<Challenge | undefined>
    readonly findDelivery: (id: string) => Read<Delivery | undefined>
    readonly findEndpoint: (id: string) => Read<Endpoint | undefined>
    readonly listEndpoints: (query: OwnQuery) => Read<ReadonlyArray<Endpoint>>
    /** The account's endpoints that want events of that type, enabled or not, oldest first. */
    readonly endpointsToTell: (accountId: string, type: EventType) => Read<ReadonlyArray<Endpoint>>
    readonly findWebhookKey: (id: string) => Read<WebhookKey | undefined>
    readonly listWebhookKeys: (query: OwnQuery) => Read<ReadonlyArray<WebhookKey>>
    /** The seller's own item of that key. */
    readonly findAccessItem: (accountId: string, itemKey: string) => Read<AccessItem | undefined>
    /** Whether another seller has registered an item of that key. */
    readonly isOthersAccessItem: (accountId: string, itemKey: string) => Read<boolean>
    /** What is registered for a payment, oldest first. */
    readonly listAccessItems: (intentId: string) => Read<ReadonlyArray<AccessItem>>
    readonly findRevocation: (id: string) => Read<Revocation | undefined>
    /** A refund's, in the order of its targets. */
    readonly listRevocations: (refundId: string) => Read<ReadonlyArray<Revocation>>
    /** All those of several refunds, in any order. */
    readonly listRevocationsOf: (
      refundIds: ReadonlyArray<string>,
    ) => Read<ReadonlyArray<Revocation>>
    /** Whether a revocation of all access that has not failed belongs to the payment. */
    readonly isAllRevoked: (intentId: string) => Read<boolean>

    /**
     * Hands out up to `limit` records that are due at `now`, earliest first, to this caller alone
     * until `lease` milliseconds are over. Claiming raises the version, so that a commit by an
     * earlier holder of the record is stale. Records are given as claimed: a delivery is then
     * `delivering`. Where shares keep some back, all receivers come to their turn within a few
     * claims, however many of one are due.
     */
    readonly claimDue: <K extends DueKind>(
      kind: K,
      now: Timestamp,
      options: ClaimOptions,
    ) => Read<ReadonlyArray<Records[K]>>
    /** When the next record of any kind falls due, leased or not; undefined when none will. */
    readonly nextDueAt: () => Read<Timestamp | undefined>

    /** Forgets stored replies whose time is over. Returns how many. */
    readonly purgeReplies: (now: Timestamp) => Read<number>
    /**
     * Forgets the counters of days before `day` (such as 2026-01-31): those whose names begin with
     * the prefix and end in the day. What is given back to one later counts from nothing. Returns
     * how many.
     */
    readonly purgeDayCounters: (prefix: string, day: string) => Read<number>
    /**
     * Removes everything that an account owns but the account itself, its keys and what it is
     * billed: its statements, its cycle and the counters of its usage. Rows of the ledger stay for
     * ever: its books are closed, and new and empty ones are read from then on.
     */
    readonly eraseAccountData: (accountId: string) => Read<void>
    /**
     * Calls `listener` after commits of this process that touched the record; returns the way to
     * stop. Commits of other processes are not heard: a watcher looks again from time to time.
     */
    readonly watch: (id: string, listener: () => void) => () => void
    /**
     * Calls `listener` with the ids of manifests that may have changed, whichever process changed
     * them, or with "everything" when some changes may have been missed; returns the way to stop.
     */
    readonly watchServices: (listener: ServiceListener) => () => void
    /** Succeeds when the store can be read. */
    readonly ping: () => Read<void>
  }
>()("payport/core/ports/Store") {}
