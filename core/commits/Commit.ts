import { Data } from "effect"
import type { Entries, Kind, Records } from "./Records.ts"

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
  readonly events?: ReadonlyArray<Records["event"]>
  readonly guards?: ReadonlyArray<Guard>
  readonly keys?: ReadonlyArray<KeyChange>
  readonly reservations?: ReadonlyArray<Reservation>
  /** Rows of the ledger. Journals that do not sum to zero are a defect. */
  readonly postings?: ReadonlyArray<Entries["posting"]>
  /**
   * Stored where none with the id is there yet. One that has been claimed since it was stored is
   * due again: its fees have changed.
   */
  readonly fee_days?: ReadonlyArray<Records["fee_day"]>
  readonly reply?: Entries["reply"]
  /**
   * Whether others may be about to store just the same, in the same millisecond, of whom one is to
   * have it: the one use of a proof. What is stored then does not say whose it is.
   */
  readonly contended?: true
  /** Becomes the last entry of the audit log: the store says what it comes behind. */
  readonly audit?: Entries["audit_act"]
}

/** What stood in the way of a commit; the decision was taken on values that have changed. */
export type ConflictReason =
  | { readonly type: "stale_version"; readonly kind: Kind; readonly id: string }
  | { readonly type: "key_taken"; readonly key: string; readonly owner: string }
  | { readonly type: "limit_reached"; readonly counter: string; readonly value: number }
  | { readonly type: "reply_taken" }

/** A commit that was refused as a whole. Nothing of it was stored: read again and decide again. */
export class Conflict extends Data.TaggedError("Conflict")<{ readonly reason: ConflictReason }> {}

/** A part of a commit: what one rule has to say about the outcome of a decision. */
export type CommitPart = Partial<Commit>

/** The part that changes nothing. */
export const empty: Commit = { writes: [] }

type Fields = Required<Commit>

const concat = <A>(one: ReadonlyArray<A>, other: ReadonlyArray<A>): ReadonlyArray<A> =>
  other.length === 0 ? one : one.length === 0 ? other : [...one, ...other]

const single = (field: keyof Commit) => (): never => {
  throw new Error(`Two parts of one commit have a field of which it has one: ${field}.`)
}

/** How two parts' fields become one. A field of a commit that is missing here does not compile. */
const MERGES: { readonly [F in keyof Fields]: (one: Fields[F], other: Fields[F]) => Fields[F] } = {
  writes: concat,
  events: concat,
  guards: concat,
  keys: concat,
  reservations: concat,
  postings: concat,
  fee_days: concat,
  reply: single("reply"),
  contended: () => true,
  audit: single("audit"),
}

type Merged = { -readonly [F in keyof Commit]: Commit[F] }

const add = <F extends keyof Fields>(merged: Merged, field: F, other: Fields[F] | undefined) => {
  if (other === undefined) return
  const one = merged[field] as Fields[F] | undefined
  merged[field] = one === undefined ? other : MERGES[field](one, other)
}

/**
 * Several parts as one commit, each field's entries in the order of the parts. A commit has one
 * reply and one audit note: two of either are a defect.
 */
export const merge = (...parts: ReadonlyArray<CommitPart>): Commit => {
  const merged: Merged = { writes: [] }
  // Runs several times a payment, and most parts have two or three of the fields.
  for (const part of parts) {
    for (const name in part) {
      const field = name as keyof Commit
      add(merged, field, part[field])
    }
  }
  return merged
}
