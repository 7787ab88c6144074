import { Effect } from "effect"
import { Conflict, type ConflictReason } from "./Commit.ts"

/** Whether a commit was refused since somebody else has a name that begins so. */
export const isKeyTaken =
  (prefix: string) =>
  (reason: ConflictReason): boolean =>
    reason.type === "key_taken" && reason.key.startsWith(prefix)

/**
 * Goes on with `handle` after a conflict of the reasons that `matches`; every other failure stays.
 * An effect whose failures are generic can be caught so, which `Effect.catchTag` does not type.
 */
export const catchConflict =
  <B, E2, R2>(
    matches: (reason: ConflictReason) => boolean,
    handle: (conflict: Conflict) => Effect.Effect<B, E2, R2>,
  ) =>
  <A, E, R>(
    self: Effect.Effect<A, E | Conflict, R>,
  ): Effect.Effect<A | B, E | E2 | Conflict, R | R2> =>
    Effect.catch(self, (error): Effect.Effect<B, E | E2 | Conflict, R2> =>
      error instanceof Conflict && matches(error.reason) ? handle(error) : Effect.fail(error),
    )
