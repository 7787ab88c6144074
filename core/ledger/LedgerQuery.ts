import type { Timestamp } from "../shared/Timestamp.ts"
import type { JournalKind, LedgerAccount, Posting } from "./Posting.ts"

/** A query for rows of an account's books: newest first, after `starting_after`. */
export interface EntryQuery {
  readonly account_id: string
  readonly payment_intent?: string
  readonly ledger_account?: LedgerAccount
  readonly currency?: string
  readonly kind?: JournalKind
  readonly starting_after?: string
  /** Newest first unless this is `oldest`, which takes the rows of one payment without a cursor. */
  readonly order?: "oldest"
  readonly limit: number
}

/** A query for sums over days of an account's books, both days inclusive. */
export interface TotalsQuery {
  readonly account_id: string
  /** `2026-01-01`; without it from the beginning. */
  readonly from?: string
  /** `2026-01-31`; without it to the end. */
  readonly to?: string
}

/**
 * A query for rows of a channel's `channel_clearing` in the books of all accounts, closed ones
 * included: up to `limit` rows of a time range, after a given row, or all rows of some payments.
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

/** A row of that query. `closed` is true if its books were closed since. */
export interface Cleared extends Posting {
  readonly closed: boolean
}

/** The sum of rows of one sort. */
export interface Balance extends Pick<Posting, "currency" | "ledger_account" | "kind"> {
  /** Minor units; a debit is positive, a credit negative. */
  readonly amount: number
  readonly count: number
}

/** The sum of rows of one sort in a UTC day and for a channel. */
export interface DayTotal extends Balance {
  readonly day: string
  readonly channel: string | null
}
