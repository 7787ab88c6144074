import type { Block } from "../auditor/invariants/addressBlocks.ts"
import type { Chance } from "../random/Chance.ts"

const MAPPED = `${"0".repeat(80)}${"1".repeat(16)}`

const bitsOf = (length: number, chance: Chance): string =>
  Array.from({ length }, () => (chance.hits(0.4) ? "1" : "0")).join("")

/** Draws a block: anywhere, or one that shares its first bits with another, or nearly does. */
export const drawBlock = (near: Block | undefined, chance: Chance): Block => {
  if (near === undefined || chance.hits(0.1)) {
    const width = chance.pick([32, 128])
    const isMapped = width === 128 && chance.hits(0.3)
    const bits = isMapped ? `${MAPPED}${bitsOf(32, chance)}` : bitsOf(width, chance)
    const lengths = width === 32 ? [8, 24, 31, 32] : [95, 96, 97, 104, 128]
    return { bits, length: chance.pick([0, ...lengths]) }
  }
  const { bits, length } = near
  const rest = bitsOf(bits.length - length, chance)
  const at = length - 1
  const flipped = bits.charAt(at) === "0" ? "1" : "0"
  const isOther = length > 0 && chance.hits(0.3)
  const first = isOther ? `${bits.slice(0, at)}${flipped}` : bits.slice(0, length)
  const longer = chance.hits(0.2) ? length - 1 : chance.int(length, bits.length)
  const block = { bits: `${first}${rest}`, length: Math.max(longer, 0) }
  // The same addresses of IPv4, as IPv6 writes them.
  return bits.length === 32 && chance.hits(0.2)
    ? { bits: `${MAPPED}${block.bits}`, length: block.length + 96 }
    : block
}

const partsOf = (bits: string, size: number): ReadonlyArray<number> =>
  Array.from({ length: bits.length / size }, (_, n) =>
    Number.parseInt(bits.slice(n * size, (n + 1) * size), 2),
  )

/** Writes an address of IPv6: in full, with capitals and zeros, shortened, or ending as IPv4. */
const writtenInGroups = (bits: string, chance: Chance): string => {
  const groups = partsOf(bits, 16).map((group) => group.toString(16))
  const form = chance.int(0, 3)
  if (form === 0) return groups.join(":")
  if (form === 1) return groups.map((group) => group.toUpperCase().padStart(4, "0")).join(":")
  const dotted = form === 2 ? [partsOf(bits.slice(96), 8).join(".")] : groups.slice(6)
  const all = [...groups.slice(0, 6), ...dotted].join(":")
  return all.replace(/(?<![^:])0(?::0)+(?![^:.])/, "").replace(/^:(?!:)|(?<!:):$|:{2,}/g, "::")
}

/** Writes a block, or an address, which is a block of one. */
export const writtenAs = ({ bits, length }: Block, chance: Chance): string => {
  const address = bits.length === 32 ? partsOf(bits, 8).join(".") : writtenInGroups(bits, chance)
  return length === bits.length && chance.hits(0.8) ? address : `${address}/${length}`
}
