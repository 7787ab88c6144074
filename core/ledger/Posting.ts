import type { Timestamp } from "../shared/Timestamp.ts"

/** The named accounts of every merchant's books. A debit is positive, a credit negative. */
export const LEDGER_ACCOUNTS = [
  /** Money taken from payers that is not settled yet. */
  "payer_clearing",
  /** Money that the channel holds for us: taken minus returned. */
  "channel_clearing",
  /** Our debt to the merchant. The wallet's balance is the negative of this account's. */
  "merchant_wallet",
  /** Fees that the merchant owes for its payments until the next day. */
  "fees_due",
  "service_fees",
  "channel_fees",
  /** Exchanged amounts at the mid-market rate: the payer's currency in, the merchant's out. */
  "fx",
  /** The service's part of an exchange. */
  "fx_spread",
  /** Money reserved for pending refunds. */
  "refunds",
] as const
/** One of {@link LEDGER_ACCOUNTS}. */
export type LedgerAccount = (typeof LEDGER_ACCOUNTS)[number]

/** The kinds of journals. The folder's README has a table of them. */
export const JOURNAL_KINDS = [
  "captured",
  "settled",
  "settlement_failed",
  "fees",
  "fees_taken",
  "late_payment",
  "late_payment_returned",
  "refund_reserved",
  "refund_succeeded",
  "refund_failed",
  "fees_refunded",
] as const
/** One of {@link JOURNAL_KINDS}. */
export type JournalKind = (typeof JOURNAL_KINDS)[number]

/**
 * One row of the ledger. The rows of a journal sum to zero in each currency. A row is never changed
 * or removed.
 */
export interface Posting {
  /** `post_` and a UUIDv7. */
  readonly id: string
  /** `jrn_` and a UUIDv7: the journal of this row. */
  readonly journal: string
  readonly kind: JournalKind
  /** The owner of the books: the payee of the payment. */
  readonly account_id: string
  readonly ledger_account: LedgerAccount
  /** The channel of the payment; null if the row belongs to no single payment. */
  readonly channel: string | null
  readonly currency: string
  /** Minor units, never zero: a debit is positive, a credit negative. */
  readonly amount: number
  readonly payment_intent: string | null
  readonly refund: string | null
  readonly created_at: Timestamp
}

/** A row of a journal before it is written. */
export type Line = Pick<Posting, "ledger_account" | "currency" | "amount">

/** A journal before it is written: its subject and its rows, which may be zero. */
export type Journal = Pick<
  Posting,
  "kind" | "account_id" | "channel" | "payment_intent" | "refund"
> & { readonly lines: ReadonlyArray<Line> }

/** Returns the rows of journals as they are stored, without zero rows. */
export const toPostings = (
  journals: ReadonlyArray<Journal>,
  uuid: () => string,
  at: Timestamp,
): ReadonlyArray<Posting> =>
  journals.flatMap(({ lines, ...about }) => {
    const moved = lines.filter(({ amount }) => amount !== 0)
    const journal = moved.length === 0 ? "" : `jrn_${uuid()}`
    return moved.map((line) => ({
      id: `post_${uuid()}`,
      journal,
      ...about,
      ...line,
      created_at: at,
    }))
  })

/** Returns the lines with opposite signs. */
export const reversed = (lines: ReadonlyArray<Line>): ReadonlyArray<Line> =>
  lines.map((line) => ({ ...line, amount: -line.amount }))

/**
 * Checks rows that are stored together. Returns what is wrong, or undefined. Each amount is a whole
 * number of minor units other than zero, and each journal sums to zero in each currency.
 */
export const flawOf = (postings: ReadonlyArray<Posting>): string | undefined => {
  const sums = new Map<string, bigint>()
  for (const { amount, currency, id, journal } of postings) {
    if (!Number.isSafeInteger(amount) || amount === 0) {
      return `${id} posts ${amount}, which is not a non-zero whole number of minor units`
    }
    const name = `${journal} in ${currency}`
    sums.set(name, (sums.get(name) ?? 0n) + BigInt(amount))
  }
  for (const [name, sum] of sums) if (sum !== 0n) return `${name} sums to ${sum} instead of zero`
  return undefined
}

declare module "../commits/Records.ts" {
  interface Entries {
    readonly posting: Posting
  }
}
