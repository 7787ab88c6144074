import type { Timestamp } from "../shared/Timestamp.ts"

/** The named accounts of every merchant's books. A debit is positive, a credit negative. */
export const LEDGER_ACCOUNTS = [
  /** What has been taken from payers and not been settled. */
  "payer_clearing",
  /** What the channel holds for us: what it took less what it gave back. */
  "channel_clearing",
  /** What is owed to the merchant: its balance is the opposite of this account's. */
  "merchant_wallet",
  /** What the merchant owes for its payments until the next day. */
  "fees_due",
  "service_fees",
  "channel_fees",
  /** What is exchanged: the payer's currency in, the merchant's out, at the mid-market rate. */
  "fx",
  /** What is kept of an exchange. */
  "fx_spread",
  /** What has been set aside for refunds that are under way. */
  "refunds",
] as const
/** One of {@link LEDGER_ACCOUNTS}. */
export type LedgerAccount = (typeof LEDGER_ACCOUNTS)[number]

/** What a journal tells of; a table of them all is in the folder's README. */
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
 * One row of the ledger. The rows of a journal sum to zero in each currency; none is ever changed
 * or removed.
 */
export interface Posting {
  /** `post_` and a UUIDv7. */
  readonly id: string
  /** `jrn_` and a UUIDv7: the journal that it is a row of. */
  readonly journal: string
  readonly kind: JournalKind
  /** Whose books these are: the payee of the payment. */
  readonly account_id: string
  readonly ledger_account: LedgerAccount
  /** The channel of the payment; null where the row is of no single payment. */
  readonly channel: string | null
  readonly currency: string
  /** Minor units, never zero: a debit is positive, a credit negative. */
  readonly amount: number
  readonly payment_intent: string | null
  readonly refund: string | null
  readonly created_at: Timestamp
}

/** A row of a journal that has yet to be written. */
export type Line = Pick<Posting, "ledger_account" | "currency" | "amount">

/** A journal that has yet to be written: what it tells of, and its rows, zeros among them. */
export type Journal = Pick<
  Posting,
  "kind" | "account_id" | "channel" | "payment_intent" | "refund"
> & { readonly lines: ReadonlyArray<Line> }

/** The rows of journals as they are stored. Rows of nothing are left out. */
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

/** The same lines the other way round. */
export const reversed = (lines: ReadonlyArray<Line>): ReadonlyArray<Line> =>
  lines.map((line) => ({ ...line, amount: -line.amount }))

/**
 * What is wrong with rows that are to be stored together; undefined when nothing is. Each is a
 * whole number of minor units other than zero, and each journal sums to zero in each currency.
 */
export const flawOf = (postings: ReadonlyArray<Posting>): string | undefined => {
  const sums = new Map<string, bigint>()
  for (const { amount, currency, id, journal } of postings) {
    if (!Number.isSafeInteger(amount) || amount === 0) {
      return `${id} posts ${amount}, which is no whole number of minor units other than zero`
    }
    const name = `${journal} in ${currency}`
    sums.set(name, (sums.get(name) ?? 0n) + BigInt(amount))
  }
  for (const [name, sum] of sums) if (sum !== 0n) return `${name} sums to ${sum} and not to zero`
  return undefined
}

declare module "../commits/Records.ts" {
  interface Entries {
    readonly posting: Posting
  }
}
