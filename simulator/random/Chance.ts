import { Effect, Random } from "effect"

/** Random numbers that a seed decides. */
export interface Chance {
  /** From 0, below 1. */
  readonly next: () => number
  /** A whole number, both ends included. */
  readonly int: (min: number, max: number) => number
  readonly between: (min: number, max: number) => number
  /** Returns true in that share of all cases. */
  readonly hits: (probability: number) => boolean
  readonly pick: <A>(items: readonly [A, ...ReadonlyArray<A>]) => A
  /** Draws an item by its weight. */
  readonly weighted: <A>(items: ReadonlyArray<readonly [weight: number, item: A]>) => A
  /** Draws whole milliseconds, exponentially distributed around the mean. */
  readonly wait: (mean: number) => number
}

const seeded = (seed: string) =>
  Effect.runSync(Random.withSeed(Effect.service(Random.Random), seed))

/**
 * Makes effect's seeded generator for a text, on first use. Each use has its own stream, named in
 * the seed, so that one more draw in one place changes nothing in another.
 */
export const makeChance = (seed: string): Chance => {
  let random: ReturnType<typeof seeded> | undefined
  const next = () => (random ??= seeded(seed)).nextDoubleUnsafe()
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    int,
    between: (min, max) => min + next() * (max - min),
    hits: (probability) => probability > 0 && next() < probability,
    pick: (items) => items[int(0, items.length - 1)] ?? items[0],
    weighted: (items) => {
      const total = items.reduce((sum, [weight]) => sum + weight, 0)
      let left = next() * total
      for (const [weight, item] of items) {
        left -= weight
        if (left < 0) return item
      }
      const last = items.at(-1)
      if (last === undefined) throw new RangeError("There is nothing to choose from.")
      return last[1]
    },
    wait: (mean) => Math.round(-Math.log(1 - next()) * mean),
  }
}
