import type { Discrepancy, DiscrepancyQuery } from "../../gateway/Discrepancy.ts"
import type {
  Balance,
  Cleared,
  ClearingQuery,
  DayTotal,
  EntryQuery,
  TotalsQuery,
} from "../../ledger/LedgerQuery.ts"
import type { Posting } from "../../ledger/Posting.ts"
import type { ReconciliationRun } from "../../reports/ReconciliationRun.ts"
import type { Read } from "./Read.ts"

/** The books, and what was found out by comparing them (Reconciliation). */
export interface LedgerReads {
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
}
