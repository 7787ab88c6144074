import { Effect } from "effect"

/** Runs all effects at once; ends when all have ended. */
export const atOnce = <E, R>(acts: ReadonlyArray<Effect.Effect<unknown, E, R>>) =>
  Effect.all(acts, { concurrency: "unbounded", discard: true })
