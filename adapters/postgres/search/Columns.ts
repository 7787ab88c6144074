import type { Timestamp } from "../../../core/shared/Timestamp.ts"
import { type Bits, noBits, setBit } from "./Bits.ts"

/** How a manifest stands in its block's list of members: its age, then its id. */
export const MEMBER = 24

/** Where the id begins in it. */
const ID = 8

/** Which manifest it is, and how old. */
export interface Member {
  readonly created_at: Timestamp
  readonly id: string
}

const bytesOfId = (id: string): Buffer => Buffer.from(id.replaceAll("-", ""), "hex")

const idOf = (bytes: Uint8Array): string => {
  const hex = Buffer.from(bytes).toString("hex")
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([from, to]) => hex.slice(from, to))
    .join("-")
}

/** The bytes of a block's members, which sort as their ages and ids do. */
export const encodeMembers = (members: ReadonlyArray<Member>): Uint8Array => {
  const bytes = Buffer.alloc(members.length * MEMBER)
  for (const [n, { created_at, id }] of members.entries()) {
    bytes.writeBigInt64BE(BigInt(created_at), n * MEMBER)
    bytesOfId(id).copy(bytes, n * MEMBER + ID)
  }
  return bytes
}

/** A member of a block. */
export const memberAt = (members: Uint8Array, at: number): Member => {
  const bytes = Buffer.from(members.buffer, members.byteOffset + at * MEMBER, MEMBER)
  return { created_at: Number(bytes.readBigInt64BE(0)), id: idOf(bytes.subarray(ID)) }
}

/** Where a member stands in its block; undefined where it is none. */
export const findMember = (members: Uint8Array, { created_at, id }: Member): number | undefined => {
  const wanted = encodeMembers([{ created_at, id }])
  let low = 0
  let high = members.length / MEMBER
  while (low < high) {
    const middle = (low + high) >>> 1
    const order = Buffer.compare(members.subarray(middle * MEMBER, (middle + 1) * MEMBER), wanted)
    if (order === 0) return middle
    if (order < 0) low = middle + 1
    else high = middle
  }
  return undefined
}

/** Values of a block's members, of which each is kept once, in order, and by number. */
const encodeNumbers = (head: Uint8Array, count: number, numbers: Uint16Array): Uint8Array => {
  const bytes = Buffer.alloc(4 + head.length + numbers.byteLength)
  bytes.writeUInt32LE(count, 0)
  bytes.set(head, 4)
  for (const [n, number] of numbers.entries()) bytes.writeUInt16LE(number, 4 + head.length + 2 * n)
  return bytes
}

/** The bytes of whose each member is. */
export const encodeSellers = (sellers: ReadonlyArray<string>): Uint8Array => {
  const names = [...new Set(sellers)]
  const known = new Map(names.map((name, n) => [name, n]))
  const numbers = Uint16Array.from(sellers, (seller) => known.get(seller) ?? 0)
  return encodeNumbers(Buffer.concat(names.map(bytesOfId)), names.length, numbers)
}

/** Whose each member is, by its place. */
export const decodeSellers = (bytes: Uint8Array): ((at: number) => string) => {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const count = view.readUInt32LE(0)
  const names: Array<string | undefined> = []
  const start = 4 + 16 * count
  return (at) => {
    const n = view.readUInt16LE(start + 2 * at)
    const name = names[n] ?? idOf(view.subarray(4 + 16 * n, 20 + 16 * n))
    names[n] = name
    return name
  }
}

/** The bytes of members' lowest prices; undefined for who has none. */
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

/** Who has a price of at most so much; nobody where the block has no such column. */
export const pricedAtMost = (bytes: Uint8Array | undefined, size: number, most: number): Bits => {
  if (bytes === undefined) return noBits(size)
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const count = view.readUInt32LE(0)
  let last = 0
  while (last < count && view.readDoubleLE(4 + 8 * last) <= most) last += 1
  const bits = noBits(size)
  const start = 4 + 8 * count
  for (let at = 0; at < size; at++) {
    const number = view.readUInt16LE(start + 2 * at)
    if (number > 0 && number <= last) setBit(bits, at)
  }
  return bits
}
