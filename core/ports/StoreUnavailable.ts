import { Data } from "effect"

/**
 * Why a store takes no writes: its server is read-only, is full, takes no more connections, does
 * not answer, cannot be reached, or refuses; or the process's clock is too far off the server's, or
 * its master key no longer opens the database's keys; or, for an act of an operator alone, the
 * audit log does not end with its head.
 */
export type StoreTrouble =
  | "read_only"
  | "full"
  | "no_connections"
  | "no_answer"
  | "unreachable"
  | "refused"
  | "clock"
  | "keys"
  | "audit"

/**
 * The store did not answer. With `outcome` "not_stored" nothing happened. With "unknown" a commit
 * may or may not have been stored, and only another read can tell. `subject` is the id of the first
 * record of such a commit.
 */
export class StoreUnavailable extends Data.TaggedError("StoreUnavailable")<{
  readonly outcome: "not_stored" | "unknown"
  readonly cause: unknown
  readonly subject?: string | undefined
  /** Set by a ping, and where the store itself is well. */
  readonly trouble?: StoreTrouble
}> {}
