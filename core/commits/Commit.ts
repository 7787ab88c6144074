import { Data } from "effect"
import type { Entries, Kind, Records } from "./Records.ts"

/**
 * One change of one record. `insert` needs version 1. `replace` and `remove` name the version that
 * was read: the stored record must still have it. A replaced record gets the next version.
 */
export type Write = {
  readonly [K in Kind]: {
    readonly op: "insert" | "replace" | "remove"
    readonly kind: K
    readonly record: Records[K]
  }
}[Kind]

/**
 * The version of a record that a decision depends on and the commit does not change. It is compared
 * when the commit is decided, without a lock: a change that another process commits in that instant
 * counts as later. So a guard does not stop a commit that would be wrong even then, because it
 * rests on what this one writes: of two such commits, one has to write the record that it rests on.
 */
export interface Guard {
  readonly kind: Kind
  readonly id: string
  readonly version: number
}

/** Claims a name that only one owner can hold, or releases it. */
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
   * Stored unless one with the id exists. One that was claimed since it was stored becomes due
   * again, because its fees have changed.
   */
  readonly fee_days?: ReadonlyArray<Records["fee_day"]>
  readonly reply?: Entries["reply"]
  /**
   * Whether others may store exactly the same in the same millisecond, such as the one use of a
   * proof, and only one may succeed. The stored record then does not show who did.
   */
  readonly contended?: true
  /** The next entry of the audit log. The store chains it to the entry before. */
  readonly audit?: Entries["audit_act"]
}

/** Why a commit was refused: the decision was made on values that have changed. */
export type ConflictReason =
  | { readonly type: "stale_version"; readonly kind: Kind; readonly id: string }
  | { readonly type: "key_taken"; readonly key: string; readonly owner: string }
  | { readonly type: "limit_reached"; readonly counter: string; readonly value: number }
  | { readonly type: "reply_taken" }

/** A commit that was refused as a whole. Nothing of it was stored: read and decide again. */
export class Conflict extends Data.TaggedError("Conflict")<{ readonly reason: ConflictReason }> {}

/** A part of a commit: what one rule adds to the outcome of a decision. */
export type CommitPart = Partial<Commit>

/** The part that changes nothing. */
export const empty: Commit = { writes: [] }

type Fields = Required<Commit>

const concat = <A>(one: ReadonlyArray<A>, other: ReadonlyArray<A>): ReadonlyArray<A> =>
  other.length === 0 ? one : one.length === 0 ? other : [...one, ...other]

const single = (field: keyof Commit) => (): never => {
  throw new Error(`Two parts of one commit have the field ${field}. A commit has it only once.`)
}

/** How two parts' fields are merged. The compiler requires every field of a commit here. */
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
 * Merges parts into one commit, with each field's entries in the order of the parts. A commit has
 * at most one reply and one audit note. Two of either are a defect.
 */
export const merge = (...parts: ReadonlyArray<CommitPart>): Commit => {
  const merged: Merged = { writes: [] }
  // This runs several times a payment. Most parts have two or three of the fields.
  for (const part of parts) {
    for (const name in part) {
      const field = name as keyof Commit
      add(merged, field, part[field])
    }
  }
  return merged
}
