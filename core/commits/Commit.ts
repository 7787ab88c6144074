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
  /** Becomes the last entry of the audit log, which the store chains to the one before it. */
  readonly audit?: Entries["audit_note"]
}

/** What stood in the way of a commit; the decision was taken on values that have changed. */
export type ConflictReason =
  | { readonly type: "stale_version"; readonly kind: Kind; readonly id: string }
  | { readonly type: "key_taken"; readonly key: string; readonly owner: string }
  | { readonly type: "limit_reached"; readonly counter: string; readonly value: number }
  | { readonly type: "reply_taken" }

/** A commit that was refused as a whole. Nothing of it was stored: read again and decide again. */
export class Conflict extends Data.TaggedError("Conflict")<{ readonly reason: ConflictReason }> {}
