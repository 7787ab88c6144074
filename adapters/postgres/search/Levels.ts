import { MOST_SCORED } from "../../../core/registry/SearchEntries.ts"
import type { Rank } from "../../../core/registry/ServiceMatch.ts"
import { type Bits, countBits, hasBits, keepCommon } from "./Bits.ts"
import type { Places } from "./Postings.ts"

/** How many sets have each position: bit n of the number is in the n-th set. */
type Counter = Array<Bits>

/** Adds one where a set has a position. */
const increase = (counter: Counter, bits: Bits): void => {
  let carry = bits
  for (let n = 0; hasBits(carry); n++) {
    const digit = counter[n]
    if (digit === undefined) {
      counter.push(carry.slice())
      return
    }
    const next = new Uint32Array(carry.length)
    for (let at = 0; at < carry.length; at++) {
      const before = digit[at] ?? 0
      const more = carry[at] ?? 0
      next[at] = before & more
      digit[at] = before ^ more
    }
    carry = next
  }
}

/** What of a block is found, and how often the words stand in names and tags. */
export interface FoundBits {
  readonly found: Bits
  readonly named: Counter
  readonly labelled: Counter
}

/** What has all the words, in the order of the question, and is among `asked`. */
export const foundBits = (asked: Bits, words: ReadonlyArray<Places>): FoundBits => {
  const found = asked.slice()
  for (const { anywhere } of words) keepCommon(found, anywhere)
  const counted: FoundBits = { found, named: [], labelled: [] }
  if (!hasBits(found)) return counted
  for (const { labelled, named } of words.slice(0, MOST_SCORED)) {
    for (const [counter, bits] of [
      [counted.named, named],
      [counted.labelled, labelled],
    ] as const) {
      const common = bits.slice()
      keepCommon(common, found)
      increase(counter, common)
    }
  }
  return counted
}

/** What is found of each block under one rank; undefined for a block without any. */
export interface Level extends Rank {
  readonly sets: ReadonlyArray<Bits | undefined>
  readonly count: number
}

type Sets = ReadonlyArray<Bits | undefined>

/** The part of sets that has a digit of a number, or the part that has it not. */
const having = (sets: Sets, digits: ReadonlyArray<Bits | undefined>, is: boolean): Sets =>
  sets.map((set, n) => {
    const digit = digits[n]
    if (set === undefined || (digit === undefined && is)) return undefined
    if (digit === undefined) return set
    const part = new Uint32Array(set.length)
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

/** The sets taken apart by a number, the highest first. */
function* byNumber(
  sets: Sets,
  counters: ReadonlyArray<Counter>,
): Generator<readonly [number: number, sets: Sets]> {
  const from = function* (part: Sets, digit: number, value: number): ReturnType<typeof byNumber> {
    if (part.every((set) => set === undefined)) return
    if (digit < 0) {
      yield [value, part]
      return
    }
    const digits = counters.map((counter) => counter[digit])
    yield* from(having(part, digits, true), digit - 1, value + 2 ** digit)
    yield* from(having(part, digits, false), digit - 1, value)
  }
  yield* from(sets, depthOf(counters) - 1, 0)
}

/** What is found by its rank, the best first; each level is made when it is asked for. */
export function* levelsOf(blocks: ReadonlyArray<FoundBits>): Generator<Level> {
  const all = blocks.map(({ found }) => (hasBits(found) ? found : undefined))
  const named = blocks.map((block) => block.named)
  const labelled = blocks.map((block) => block.labelled)
  for (const [inNames, part] of byNumber(all, named)) {
    for (const [inLabels, sets] of byNumber(part, labelled)) {
      const count = sets.reduce((sum, set) => sum + (set === undefined ? 0 : countBits(set)), 0)
      yield { named: inNames, labelled: inLabels, sets, count }
    }
  }
}
