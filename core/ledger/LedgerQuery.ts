import type { Timestamp } from "../shared/Timestamp.ts"
import type { JournalKind, LedgerAccount, Posting } from "./Posting.ts"

/** Rows of an account's books: newest first, from behind `starting_after`. */
export interface EntryQuery {
  readonly account_id: string
  readonly payment_intent?: string
  readonly ledger_account?: LedgerAccount
  readonly currency?: string
  readonly kind?: JournalKind
  readonly starting_after?: string
  readonly limit: number
}

/** Which days of an account's books are summed up, from the first to the last of them. */
export interface TotalsQuery {
  readonly account_id: string
  /** `2026-01-01`; without it from the beginning. */
  readonly from?: string
  /** `2026-01-31`; without it to the end. */
  readonly to?: string
}

/**
 * Rows of a channel's `channel_clearing` in the books of all accounts, closed ones among them: so
 * many from a time until before another, from behind a row, or all of some payments.
 */
export type ClearingQuery = { readonly channel: string } & (
  | {
      readonly from: Timestamp
      readonly to: Timestamp
      readonly after?: Pick<Posting, "id" | "created_at">
      readonly limit: number
    }
  | { readonly payment_intents: ReadonlyArray<string> }
)

/** A row of it; `closed` where its books have been closed since. */
export interface Cleared extends Posting {
  readonly closed: boolean
}

/** What rows of one sort sum up to. */
export interface Balance extends Pick<Posting, "currency" | "ledger_account" | "kind"> {
  /** Minor units; a debit is positive, a credit negative. */
  readonly amount: number
  readonly count: number
}

/** What rows of one sort sum up to in a UTC day and for a channel. */
export interface DayTotal extends Balance {
  readonly day: string
  readonly channel: string | null
}
