import { addBits, type Bits, countBits, positionsOf, setBit, wordsFor } from "./Bits.ts"
import type { BitSpace } from "./BitSpace.ts"

/** The places of a word in a block. Each set contains the one before. A filter: only `anywhere`. */
export interface Places {
  /** In the name. */
  readonly named: Bits
  /** In the name or the tags. */
  readonly labelled: Bits
  readonly anywhere: Bits
}

const SETS = ["named", "labelled", "anywhere"] as const

/** The head's mark of a set that is stored as bits. A smaller number is the count of positions. */
const AS_BITS = 0xffff_ffff

const HEAD = 4 * SETS.length

export const noPlaces = (size: number, space: BitSpace): Places => {
  const words = wordsFor(size)
  const all = space.noWords(SETS.length * words)
  return {
    named: all.subarray(0, words),
    labelled: all.subarray(words, 2 * words),
    anywhere: all.subarray(2 * words),
  }
}

const bytesOf = ({ buffer, byteLength, byteOffset }: Uint16Array | Uint32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

const packed = (sets: ReadonlyArray<Uint16Array | Bits>): Uint8Array => {
  const bytes = new Uint8Array(HEAD + sets.reduce((sum, set) => sum + set.byteLength, 0))
  const head = new Uint32Array(bytes.buffer, 0, SETS.length)
  let at = HEAD
  for (const [n, set] of sets.entries()) {
    head[n] = set instanceof Uint16Array ? set.length : AS_BITS
    bytes.set(bytesOf(set), at)
    at += set.byteLength
  }
  return bytes
}

/** Whether so many positions are shorter than the bits of a block of the size. */
export const isRare = (count: number, size: number): boolean => isShort(count, wordsFor(size))

const isShort = (count: number, words: number): boolean => count < 2 * words

/** Encodes places: of each set its positions or its bits, whichever is shorter. */
export const encodePlaces = (places: Places): Uint8Array =>
  packed(
    SETS.map((name) => {
      const bits = places[name]
      return isShort(countBits(bits), bits.length) ? positionsOf(bits) : bits
    }),
  )

/**
 * Encodes the same of a rare word, without sets of the block's size. Each number is four times a
 * position, in order, plus 0 in the name, 1 in the tags or 2 in the description.
 */
export const encodeRare = (found: ReadonlyArray<number>): Uint8Array =>
  packed(
    SETS.map((_, place) => {
      const within = found.filter((one) => (one & 3) <= place)
      return new Uint16Array(within.map((one) => one >>> 2))
    }),
  )

/** Adds encoded places to the places of a block. */
export const addPlaces = (places: Places, bytes: Uint8Array): void => {
  const { buffer } = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
  const start = bytes.byteOffset % 4 === 0 ? bytes.byteOffset : 0
  const head = new Uint32Array(buffer, start, SETS.length)
  let at = start + HEAD
  for (const [n, name] of SETS.entries()) {
    const count = head[n] ?? 0
    const bits = places[name]
    if (count === AS_BITS) {
      const length = bits.byteLength
      // After an odd number of positions, the bits are not aligned.
      const stored = at % 4 === 0 ? buffer : buffer.slice(at, at + length)
      addBits(bits, new Uint32Array(stored, at % 4 === 0 ? at : 0, bits.length))
      at += length
    } else {
      const positions = new Uint16Array(buffer, at, count)
      for (const position of positions) setBit(bits, position)
      at += 2 * count
    }
  }
}
