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

/** A key that a caller presented, with its account. */
export interface Credential {
  readonly api_key: ApiKey
  readonly account: Account
}

/** The queries that no record's id, unique name or list answers. */
export interface Questions {
  readonly findCredential: (hash: string) => Read<Credential | undefined>
  readonly findReply: (accountId: string, key: string) => Read<Reply | undefined>
  /** Returns the values of counters in the order of their names; 0 for an unused counter. */
  readonly readCounters: (counters: ReadonlyArray<string>) => Read<ReadonlyArray<number>>

  readonly listIntents: (query: IntentQuery) => Read<ReadonlyArray<PaymentIntent>>
  /** Returns the account's payments that are to be removed, the next one first. */
  readonly listUnpaid: (accountId: string, limit: number) => Read<ReadonlyArray<PaymentIntent>>
  /** Returns all accounts' payments that are to be removed from `from` on, the next one first. */
  readonly listLeaving: (from: Timestamp, limit: number) => Read<ReadonlyArray<PaymentIntent>>
  /**
   * Returns how many QR codes are billed: several for a payment whose payer chooses the channel.
   * The counter and the stored payments are read at one moment, since a removal moves codes from
   * one to the other, and a code that is not billed changes both.
   */
  readonly countQrCodes: (query: QrCodeQuery) => Read<number>
  readonly listSubscriptions: (query: SubscriptionQuery) => Read<Found<Subscription>>
  readonly listInvoices: (query: InvoiceQuery) => Read<Found<Invoice>>
  /** Returns the sum of the usage in a period of a tab. */
  readonly sumUsage: (tabId: string, period: number) => Read<UsageSum>

  readonly searchServices: (search: ServiceSearch) => Read<Found<ServiceManifest>>
  /**
   * Returns listings of active services that a probe has confirmed. Currently confirmed ones come
   * first, then the order is by place, oldest first. The total is counted up to `MOST_COUNTED`.
   */
  readonly searchListings: (search: ListingSearch) => Read<Found<Listing>>
  /** Returns whether another seller has registered an access item with that key. */
  readonly isOthersAccessItem: (accountId: string, itemKey: string) => Read<boolean>

  readonly listPostings: (query: EntryQuery) => Read<ReadonlyArray<Posting>>
  /**
   * Returns totals by day, channel, currency, ledger account and kind, in that order. Each commit
   * updates them.
   */
  readonly listDayTotals: (query: TotalsQuery) => Read<ReadonlyArray<DayTotal>>
  /** Returns sums over days by currency, ledger account and kind, in that order. */
  readonly sumDays: (query: TotalsQuery) => Read<ReadonlyArray<Balance>>
  /**
   * Returns the balances of the account's books since they were opened, by currency, ledger account
   * and kind, in that order. Each commit updates them, so the time does not grow with the days.
   */
  readonly listBalances: (accountId: string) => Read<ReadonlyArray<Balance>>
  /** Returns what a channel took and gave back for all accounts, oldest first. */
  readonly listClearing: (query: ClearingQuery) => Read<ReadonlyArray<Cleared>>
  /** Returns discrepancies, oldest first. */
  readonly listDiscrepancies: (query: DiscrepancyQuery) => Read<ReadonlyArray<Discrepancy>>
  /** Returns runs by day and channel. Days are like `2026-01-31`; both are inclusive. */
  readonly listRuns: (from: string, to: string) => Read<ReadonlyArray<ReconciliationRun>>

  readonly findAuditEntry: (id: string) => Read<AuditEntry | undefined>
  readonly listAudit: (query: AuditQuery) => Read<ReadonlyArray<AuditEntry>>
  /** Returns the log after the place `after`, oldest first. */
  readonly readAudit: (query: {
    readonly after: number
    readonly limit: number
  }) => Read<ReadonlyArray<AuditEntry>>
  /** Returns the end of the log. */
  readonly auditHead: () => Read<AuditHead>
}
