import { Effect } from "effect"
import { Conflict, type ConflictReason } from "./Commit.ts"

/** Returns whether a commit was refused because another owner has a key with this prefix. */
export const isKeyTaken =
  (prefix: string) =>
  (reason: ConflictReason): boolean =>
    reason.type === "key_taken" && reason.key.startsWith(prefix)

/**
 * Runs `handle` after a conflict whose reason `matches`. All other failures stay. It also types
 * effects with generic failures, which `Effect.catchTag` does not.
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
