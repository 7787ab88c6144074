import { Effect, type Exit } from "effect"

/**
 * Asks somebody outside once, however often the decision that rests on the answer is taken: every
 * later question gets the first one's answer. Made before the loop that decides again.
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
