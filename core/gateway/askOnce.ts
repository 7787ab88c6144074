import { Effect, type Exit } from "effect"

/**
 * Keeps the first answer, or the first failure, of a question to somebody outside, and gives it to
 * whoever asks later. It is made before a loop such as `retryConflict`, so that an attempt that
 * starts over decides on the same answers.
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
