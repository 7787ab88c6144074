import { Data, Effect } from "effect"

/** An adapter does not do what the core relies on; `message` says what it did instead. */
export class NotConforming extends Data.TaggedError("NotConforming")<{
  readonly check: string
  readonly message: string
}> {}

/** One thing that every adapter of a port has to do. */
export interface Check<R> {
  readonly name: string
  readonly run: Effect.Effect<void, NotConforming, R>
}

/** What came of a check. */
export interface Checked {
  readonly name: string
  /** Why the adapter does not conform; undefined where it does. */
  readonly problem: string | undefined
}

/** What a check is written with. */
export interface Expecting {
  readonly equal: (what: string, actual: unknown, expected: unknown) => Effect.Effect<void, Problem>
  readonly that: (what: string, holds: boolean) => Effect.Effect<void, Problem>
}

class Problem extends Data.TaggedError("Problem")<{ readonly message: string }> {}

const expecting: Expecting = {
  equal: (what, actual, expected) => {
    const [is, wanted] = [JSON.stringify(actual), JSON.stringify(expected)]
    return is === wanted
      ? Effect.void
      : Effect.fail(new Problem({ message: `${what} is ${is}, not ${wanted}.` }))
  },
  that: (what, holds) => (holds ? Effect.void : Effect.fail(new Problem({ message: what }))),
}

const problemOf = (error: unknown): string =>
  error instanceof Problem ? error.message : `It failed with ${String(error)}.`

/** A check by its name; whatever it fails with does not conform. */
export const check = <R>(
  name: string,
  body: (expect: Expecting) => Generator<Effect.Effect<unknown, unknown, R>, void, never>,
): Check<R> => ({
  name,
  run: Effect.mapError(
    Effect.gen(() => body(expecting)),
    (error) => new NotConforming({ check: name, message: problemOf(error) }),
  ),
})

/** Runs checks one after the other, and says of each what came of it; none stops the others. */
export const runChecks = <R>(
  checks: ReadonlyArray<Check<R>>,
): Effect.Effect<ReadonlyArray<Checked>, never, R> =>
  Effect.forEach(checks, ({ name, run }) =>
    run.pipe(
      Effect.as<string | undefined>(undefined),
      Effect.catch(({ message }) => Effect.succeed<string | undefined>(message)),
      Effect.catchDefect((defect) => Effect.succeed(`It broke: ${String(defect)}`)),
      Effect.map((problem): Checked => ({ name, problem })),
    ),
  )
