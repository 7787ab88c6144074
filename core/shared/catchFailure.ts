import { Effect } from "effect"
import { type Failure, type FailureCode, isFailure } from "./Failure.ts"

type Without<E, Code extends FailureCode> =
  E extends Failure<infer Given>
    ? [Exclude<Given, Code>] extends [never]
      ? never
      : Failure<Exclude<Given, Code>>
    : E

/** Handles refusals with these codes. The others stay in the error channel. */
export const catchFailure =
  <const Code extends FailureCode, A2, E2, R2>(
    codes: ReadonlyArray<Code>,
    handle: (failure: Failure<Code>) => Effect.Effect<A2, E2, R2>,
  ) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A | A2, Without<E, Code> | E2, R | R2> =>
    Effect.catch(self, (error): Effect.Effect<A2, Without<E, Code> | E2, R2> => {
      const known: ReadonlyArray<FailureCode> = codes
      return isFailure(error) && known.includes(error.code)
        ? handle(error as Failure<Code>)
        : Effect.fail(error as Without<E, Code>)
    })
