import { Context, Data, type Effect } from "effect"

/** The master key cannot be used: it does not open the given key, or cannot be reached. */
export class MasterKeyFailure extends Data.TaggedError("MasterKeyFailure")<{
  /** `does_not_open`: the given key was wrapped by another master key, or was changed. */
  readonly reason: "does_not_open" | "out_of_reach"
  /** What to check, in one line. */
  readonly message: string
}> {}

/**
 * The key that wraps an installation's data keys. It is kept in this process, in a file, or in a
 * key management service that never hands it out. It is used at the start and when data keys
 * change, never for a request.
 */
export class MasterKey extends Context.Service<
  MasterKey,
  {
    /** The key's name, which reveals nothing of it: `mk_` and 16 lower-case hex digits. */
    readonly id: string
    /** Encrypts a data key of 32 bytes, bound to its name. The text is visible ASCII. */
    readonly wrap: (name: string, key: Uint8Array) => Effect.Effect<string, MasterKeyFailure>
    readonly unwrap: (name: string, wrapped: string) => Effect.Effect<Uint8Array, MasterKeyFailure>
  }
>()("payport/core/ports/MasterKey") {}
