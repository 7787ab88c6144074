import type { Rank } from "../../../core/registry/ServiceMatch.ts"
import { type Bits, countBits, hasBits } from "./Bits.ts"
import type { BitSpace } from "./BitSpace.ts"
import type { Counter, FoundBits } from "./FoundBits.ts"

/** The matches of one rank in each block; undefined for a block without any. */
export interface Level extends Rank {
  readonly sets: ReadonlyArray<Bits | undefined>
  readonly count: number
}

type Sets = ReadonlyArray<Bits | undefined>

/** Returns the part of the sets that has a digit of a number, or the part that does not. */
const having = (
  sets: Sets,
  digits: ReadonlyArray<Bits | undefined>,
  is: boolean,
  space: BitSpace,
): Sets =>
  sets.map((set, n) => {
    const digit = digits[n]
    if (set === undefined || (digit === undefined && is)) return undefined
    if (digit === undefined) return set
    const part = space.noWords(set.length)
    let some = 0
    for (let at = 0; at < part.length; at++) {
      const word = (set[at] ?? 0) & (is ? (digit[at] ?? 0) : ~(digit[at] ?? 0))
      part[at] = word
      some |= word
    }
    return some === 0 ? undefined : part
  })

const depthOf = (counters: ReadonlyArray<Counter>): number =>
  Math.max(0, ...counters.map(({ length }) => length))

/** Splits the sets by a number, from the highest. */
function* byNumber(
  sets: Sets,
  counters: ReadonlyArray<Counter>,
  space: BitSpace,
): Generator<readonly [number: number, sets: Sets]> {
  const from = function* (part: Sets, digit: number, value: number): ReturnType<typeof byNumber> {
    if (part.every((set) => set === undefined)) return
    if (digit < 0) {
      yield [value, part]
      return
    }
    const digits = counters.map((counter) => counter[digit])
    yield* from(having(part, digits, true, space), digit - 1, value + 2 ** digit)
    yield* from(having(part, digits, false, space), digit - 1, value)
  }
  yield* from(sets, depthOf(counters) - 1, 0)
}

/** Yields the matches by rank, from the best. Each level is computed when it is read. */
export function* levelsOf(blocks: ReadonlyArray<FoundBits>, space: BitSpace): Generator<Level> {
  const all = blocks.map(({ found }) => (hasBits(found) ? found : undefined))
  const named = blocks.map((block) => block.named)
  const labelled = blocks.map((block) => block.labelled)
  for (const [inNames, part] of byNumber(all, named, space)) {
    for (const [inLabels, sets] of byNumber(part, labelled, space)) {
      const count = sets.reduce((sum, set) => sum + (set === undefined ? 0 : countBits(set)), 0)
      yield { named: inNames, labelled: inLabels, sets, count }
    }
  }
}
