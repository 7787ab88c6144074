import { type Bits, setBit } from "./Bits.ts"
import type { BitSpace } from "./BitSpace.ts"
import { bytesOfId, idOf } from "./Members.ts"

/** Encodes one value per member: each distinct value once, in order, and a number per member. */
const encodeNumbers = (head: Uint8Array, count: number, numbers: Uint16Array): Uint8Array => {
  const bytes = Buffer.alloc(4 + head.length + numbers.byteLength)
  bytes.writeUInt32LE(count, 0)
  bytes.set(head, 4)
  for (const [n, number] of numbers.entries()) bytes.writeUInt16LE(number, 4 + head.length + 2 * n)
  return bytes
}

/** Encodes the number of words of a block. */
export const encodeWords = (words: number): Uint8Array => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(words)
  return bytes
}

export const decodeWords = (bytes: Uint8Array): number =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).readUInt32LE()

/** Encodes the seller of each member. */
export const encodeSellers = (sellers: ReadonlyArray<string>): Uint8Array => {
  const names = [...new Set(sellers)]
  const known = new Map(names.map((name, n) => [name, n]))
  const numbers = Uint16Array.from(sellers, (seller) => known.get(seller) ?? 0)
  return encodeNumbers(Buffer.concat(names.map(bytesOfId)), names.length, numbers)
}

/** The sellers of a block: their count, the number of each member's seller, and their ids. */
export interface Sellers {
  readonly count: number
  readonly numberAt: (at: number) => number
  readonly nameOf: (number: number) => string
}

export const decodeSellers = (bytes: Uint8Array): Sellers => {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const count = view.readUInt32LE(0)
  const names: Array<string | undefined> = []
  const start = 4 + 16 * count
  return {
    count,
    numberAt: (at) => view.readUInt16LE(start + 2 * at),
    nameOf: (n) => (names[n] ??= idOf(view.subarray(4 + 16 * n, 20 + 16 * n))),
  }
}

/** Encodes the lowest price of each member; undefined for a member without one. */
export const encodePrices = (prices: ReadonlyArray<number | undefined>): Uint8Array => {
  const known = prices.filter((price): price is number => price !== undefined)
  const amounts = Float64Array.from(new Set(known)).sort()
  const numbers = new Map([...amounts].map((amount, n) => [amount, n + 1]))
  const head = Buffer.alloc(8 * amounts.length)
  for (const [n, amount] of amounts.entries()) head.writeDoubleLE(amount, 8 * n)
  const column = Uint16Array.from(prices, (price) =>
    price === undefined ? 0 : (numbers.get(price) ?? 0),
  )
  return encodeNumbers(head, amounts.length, column)
}

/** Returns the members with a price of at most `most`; none if the block has no such column. */
export const pricedAtMost = (
  bytes: Uint8Array | undefined,
  size: number,
  most: number,
  space: BitSpace,
): Bits => {
  if (bytes === undefined) return space.noBits(size)
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const count = view.readUInt32LE(0)
  let last = 0
  while (last < count && view.readDoubleLE(4 + 8 * last) <= most) last += 1
  const bits = space.noBits(size)
  const start = 4 + 8 * count
  for (let at = 0; at < size; at++) {
    const number = view.readUInt16LE(start + 2 * at)
    if (number > 0 && number <= last) setBit(bits, at)
  }
  return bits
}
