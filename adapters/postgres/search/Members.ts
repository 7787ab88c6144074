import type { Timestamp } from "../../../core/shared/Timestamp.ts"

/** The bytes of a manifest in its block's list of members: its time of creation, then its id. */
export const MEMBER = 24

/** The offset of the id. */
const ID = 8

/** A manifest's id and time of creation. */
export interface Member {
  readonly created_at: Timestamp
  readonly id: string
}

export const bytesOfId = (id: string): Buffer => Buffer.from(id.replaceAll("-", ""), "hex")

export const idOf = (bytes: Uint8Array): string => {
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

/** Encodes a block's members. The bytes sort by time of creation and id. */
export const encodeMembers = (members: ReadonlyArray<Member>): Uint8Array => {
  const bytes = Buffer.alloc(members.length * MEMBER)
  for (const [n, { created_at, id }] of members.entries()) {
    bytes.writeBigInt64BE(BigInt(created_at), n * MEMBER)
    bytesOfId(id).copy(bytes, n * MEMBER + ID)
  }
  return bytes
}

/** Returns a member of a block. */
export const memberAt = (members: Uint8Array, at: number): Member => {
  const bytes = Buffer.from(members.buffer, members.byteOffset + at * MEMBER, MEMBER)
  return { created_at: Number(bytes.readBigInt64BE(0)), id: idOf(bytes.subarray(ID)) }
}

/** Returns the position of a member in its block; undefined if it is not a member. */
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
