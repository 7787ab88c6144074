import { Effect } from "effect"

/** Does all of these at once; ends when all have ended. */
export const atOnce = <E, R>(acts: ReadonlyArray<Effect.Effect<unknown, E, R>>) =>
  Effect.all(acts, { concurrency: "unbounded", discard: true })
