import { Data } from "effect"

/**
 * The store did not answer. With `outcome` "not_stored" nothing happened; with "unknown" a commit
 * may or may not have been stored, and only reading again tells. `subject` is the id of the first
 * record that such a commit was to write.
 */
export class StoreUnavailable extends Data.TaggedError("StoreUnavailable")<{
  readonly outcome: "not_stored" | "unknown"
  readonly cause: unknown
  readonly subject?: string | undefined
}> {}
