/** A set of positions from 0 to 65,535, one bit each. */
export type Bits = Uint32Array

/** Returns the number of words for that many positions. */
export const wordsFor = (size: number): number => (size + 31) >>> 5

export const noBits = (size: number): Bits => new Uint32Array(wordsFor(size))

export const setBit = (bits: Bits, at: number): void => {
  bits[at >>> 5] = (bits[at >>> 5] ?? 0) | (1 << (at & 31))
}

export const clearBit = (bits: Bits, at: number): void => {
  bits[at >>> 5] = (bits[at >>> 5] ?? 0) & ~(1 << (at & 31))
}

/** Keeps the positions that are in both sets. */
export const keepCommon = (bits: Bits, other: Bits): void => {
  for (let n = 0; n < bits.length; n++) bits[n] = (bits[n] ?? 0) & (other[n] ?? 0)
}

/** Adds the positions of the other set. */
export const addBits = (bits: Bits, other: Bits): void => {
  for (let n = 0; n < other.length; n++) bits[n] = (bits[n] ?? 0) | (other[n] ?? 0)
}

const ones = (word: number): number => {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

export const countBits = (bits: Bits): number => {
  let sum = 0
  for (let n = 0; n < bits.length; n++) sum += ones(bits[n] ?? 0)
  return sum
}

export const hasBits = (bits: Bits): boolean => bits.some((word) => word !== 0)

/** Calls `each` for every position, from the highest, until it returns true. */
export const walkDown = (bits: Bits, each: (at: number) => boolean): boolean => {
  for (let n = bits.length - 1; n >= 0; n--) {
    let word = bits[n] ?? 0
    while (word !== 0) {
      const bit = 31 - Math.clz32(word)
      if (each(n * 32 + bit)) return true
      word &= ~(1 << bit)
    }
  }
  return false
}

/** Returns the positions, from the lowest. */
export const positionsOf = (bits: Bits): Uint16Array => {
  const found = new Uint16Array(countBits(bits))
  let next = found.length
  walkDown(bits, (at) => {
    found[--next] = at
    return false
  })
  return found
}
