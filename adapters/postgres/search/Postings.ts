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

/** Encodes places: of each set its positions or its bits, whichever is shorter. */
export const encodePlaces = (places: Places): Uint8Array => {
  const head = new Uint32Array(SETS.length)
  const parts = SETS.map((name, n) => {
    const bits = places[name]
    const count = countBits(bits)
    const isShort = 2 * count < bits.byteLength
    head[n] = isShort ? count : AS_BITS
    return bytesOf(isShort ? positionsOf(bits) : bits)
  })
  const bytes = new Uint8Array(HEAD + parts.reduce((sum, part) => sum + part.length, 0))
  bytes.set(bytesOf(head))
  let at = HEAD
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

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
