import { Data } from "effect"

/**
 * Why a store takes no writes: its server is one that only reads, has no room, takes no connection
 * more, says nothing, cannot be reached, or refuses; or the process's clock is too far off its own.
 */
export type StoreTrouble =
  | "read_only"
  | "full"
  | "no_connections"
  | "no_answer"
  | "unreachable"
  | "refused"
  | "clock"

/**
 * The store did not answer. With `outcome` "not_stored" nothing happened; with "unknown" a commit
 * may or may not have been stored, and only reading again tells. `subject` is the id of the first
 * record that such a commit was to write.
 */
export class StoreUnavailable extends Data.TaggedError("StoreUnavailable")<{
  readonly outcome: "not_stored" | "unknown"
  readonly cause: unknown
  readonly subject?: string | undefined
  /** With a ping. */
  readonly trouble?: StoreTrouble
}> {}
