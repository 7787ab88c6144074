import { Effect } from "effect"
import type { Conflict, StoreUnavailable } from "../../core/ports/Store.ts"

const RETRIES = 50

/**
 * Repeats a read with the write that rests on it while other processes write in between. More than
 * 50 rounds are a defect.
 */
export const retryWrite = <A, R>(
  write: Effect.Effect<A, Conflict | StoreUnavailable, R>,
): Effect.Effect<A, StoreUnavailable, R> =>
  write.pipe(
    Effect.retry({
      times: RETRIES,
      while: (error: Conflict | StoreUnavailable) => error._tag === "Conflict",
    }),
    Effect.catchTag("Conflict", Effect.die),
  )
