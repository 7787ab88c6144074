import type { Account } from "../accounts/Account.ts"
import type { ApiKey } from "../accounts/ApiKey.ts"
import type { AuditEntry, AuditHead } from "../audit/AuditEntry.ts"
import type { AuditQuery } from "../audit/AuditQuery.ts"
import type { QrCodeQuery } from "../billing/QrCodeQuery.ts"
import type { Discrepancy, DiscrepancyQuery } from "../gateway/Discrepancy.ts"
import type { Reply } from "../idempotency/Reply.ts"
import type { Invoice } from "../invoices/Invoice.ts"
import type { InvoiceQuery, SubscriptionQuery } from "../invoices/InvoiceQuery.ts"
import type { ListingSearch } from "../listings/ListingSearch.ts"
import type { Listing } from "../listings/Listing.ts"
import type { Subscription } from "../invoices/Subscription.ts"
import type { UsageSum } from "../invoices/Usage.ts"
import type {
  Balance,
  Cleared,
  ClearingQuery,
  DayTotal,
  EntryQuery,
  TotalsQuery,
} from "../ledger/LedgerQuery.ts"
import type { Posting } from "../ledger/Posting.ts"
import type { IntentQuery } from "../payments/IntentQuery.ts"
import type { PaymentIntent } from "../payments/PaymentIntent.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import type { ServiceSearch } from "../registry/ServiceSearch.ts"
import type { ReconciliationRun } from "../reports/ReconciliationRun.ts"
import type { Found } from "../shared/Page.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { Read } from "./Read.ts"

/** A key that a caller presented, with the account that it opens. */
export interface Credential {
  readonly api_key: ApiKey
  readonly account: Account
}

/** What a store is asked that no record's id, unique name or list answers. */
export interface Questions {
  readonly findCredential: (hash: string) => Read<Credential | undefined>
  readonly findReply: (accountId: string, key: string) => Read<Reply | undefined>
  /** The values of counters in the order of their names; 0 for one that nobody has added to. */
  readonly readCounters: (counters: ReadonlyArray<string>) => Read<ReadonlyArray<number>>

  readonly listIntents: (query: IntentQuery) => Read<ReadonlyArray<PaymentIntent>>
  /** Payments that the account created and that are to leave, the next one first. */
  readonly listUnpaid: (accountId: string, limit: number) => Read<ReadonlyArray<PaymentIntent>>
  /** Anybody's payments that are to leave, not before `from`: the next one first. */
  readonly listLeaving: (from: Timestamp, limit: number) => Read<ReadonlyArray<PaymentIntent>>
  /** How many QR codes were made, several for a payment whose channel is left to its payer. */
  readonly countQrCodes: (query: QrCodeQuery) => Read<number>
  readonly listSubscriptions: (query: SubscriptionQuery) => Read<Found<Subscription>>
  readonly listInvoices: (query: InvoiceQuery) => Read<Found<Invoice>>
  /** What was used in a period of a tab. */
  readonly sumUsage: (tabId: string, period: number) => Read<UsageSum>

  readonly searchServices: (search: ServiceSearch) => Read<Found<ServiceManifest>>
  /**
   * Listings of active services that a probe has seen to hold: those that hold now first, then by
   * place, oldest first. The total is counted up to `MOST_COUNTED`.
   */
  readonly searchListings: (search: ListingSearch) => Read<Found<Listing>>
  /** Whether another seller has registered an access item of that key. */
  readonly isOthersAccessItem: (accountId: string, itemKey: string) => Read<boolean>

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

  readonly findAuditEntry: (id: string) => Read<AuditEntry | undefined>
  readonly listAudit: (query: AuditQuery) => Read<ReadonlyArray<AuditEntry>>
  /** The log from behind the place `after` on, oldest first. */
  readonly readAudit: (query: {
    readonly after: number
    readonly limit: number
  }) => Read<ReadonlyArray<AuditEntry>>
  /** Where the log ends. */
  readonly auditHead: () => Read<AuditHead>
}
