import { MOST_SCORED } from "../../../core/registry/SearchEntries.ts"
import { type Bits, hasBits, keepCommon } from "./Bits.ts"
import type { BitSpace } from "./BitSpace.ts"
import type { Places } from "./Postings.ts"

/** For each position, the number of sets that contain it: bit n of it is in the n-th set. */
export type Counter = Array<Bits>

/** Adds one at each position of the set. The set becomes a part of the counter. */
const increase = (counter: Counter, bits: Bits, space: BitSpace): void => {
  let carry = bits
  for (let n = 0; hasBits(carry); n++) {
    const digit = counter[n]
    if (digit === undefined) {
      counter.push(carry)
      return
    }
    const next = space.noWords(carry.length)
    for (let at = 0; at < carry.length; at++) {
      const before = digit[at] ?? 0
      const more = carry[at] ?? 0
      next[at] = before & more
      digit[at] = before ^ more
    }
    carry = next
  }
}

/** The matches in a block, and how many of the words are in their names and tags. */
export interface FoundBits {
  readonly found: Bits
  readonly named: Counter
  readonly labelled: Counter
}

/** Returns the positions in `asked` that have all the words. The words keep the search's order. */
export const foundBits = (
  asked: Bits,
  words: ReadonlyArray<Places>,
  space: BitSpace,
): FoundBits => {
  const found = space.copy(asked)
  for (const { anywhere } of words) keepCommon(found, anywhere)
  const counted: FoundBits = { found, named: [], labelled: [] }
  if (!hasBits(found)) return counted
  for (const { labelled, named } of words.slice(0, MOST_SCORED)) {
    for (const [counter, bits] of [
      [counted.named, named],
      [counted.labelled, labelled],
    ] as const) {
      const common = space.copy(bits)
      keepCommon(common, found)
      increase(counter, common, space)
    }
  }
  return counted
}
