// Written independently of core/shared on purpose: see Model.ts.

/** Addresses with the same first bits: as many as `length`, of 32 in IPv4 or 128 in IPv6. */
export interface Block {
  readonly bits: string
  readonly length: number
}

/** The first bits of addresses of IPv4 that are written in IPv6. */
const MAPPED = `${"0".repeat(80)}${"1".repeat(16)}`

const plain = (block: Block): Block =>
  block.bits.length === 128 && block.length >= 96 && block.bits.startsWith(MAPPED)
    ? { bits: block.bits.slice(96), length: block.length - 96 }
    : block

/** Whether all addresses of a block are in another one, as IPv4 or IPv6 writes them. */
export const isInside = (given: Block, outside: Block): boolean => {
  const [inner, outer] = [plain(given), plain(outside)]
  return (
    inner.bits.length === outer.bits.length &&
    inner.length >= outer.length &&
    inner.bits.startsWith(outer.bits.slice(0, outer.length))
  )
}
