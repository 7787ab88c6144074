import { Effect, type Exit } from "effect"

/**
 * Makes a function that asks an external service once and returns the same answer or failure to
 * later calls. Create it before a loop such as `retryConflict`, so that a retried decision uses the
 * same answers.
 */
export const askOnce = <Input extends ReadonlyArray<unknown>, A, E, R>(
  ask: (...input: Input) => Effect.Effect<A, E, R>,
): ((...input: Input) => Effect.Effect<A, E, R>) => {
  let answer: Exit.Exit<A, E> | undefined
  return (...input) =>
    Effect.suspend(() =>
      answer === undefined
        ? Effect.onExit(ask(...input), (exit) =>
            Effect.sync(() => {
              answer = exit
            }),
          )
        : answer,
    )
}
