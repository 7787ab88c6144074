/** A block of IP addresses: those with the same first `prefix` of `width` bits. */
export interface Network {
  readonly bits: bigint
  readonly prefix: number
  readonly width: 32 | 128
}

const joined = (parts: ReadonlyArray<number>, size: bigint): bigint =>
  parts.reduce((bits, part) => (bits << size) | BigInt(part), 0n)

const ofVersion4 = (address: string): bigint | undefined => {
  const parts = address.split(".")
  const isRight = parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part))
  const numbers = parts.map(Number)
  return isRight && numbers.every((part) => part < 256) ? joined(numbers, 8n) : undefined
}

/** Returns an IPv6 address whose last 32 bits are written as IPv4 with groups only. */
const inGroups = (address: string): string | undefined => {
  const [, start = address, dotted] = /^(.*:)([\d.]+\.[\d.]+)$/.exec(address) ?? []
  if (dotted === undefined) return address
  const bits = ofVersion4(dotted)
  if (bits === undefined) return undefined
  return `${start}${(bits >> 16n).toString(16)}:${(bits & 0xffffn).toString(16)}`
}

const ofVersion6 = (given: string): bigint | undefined => {
  const address = inGroups(given)
  if (address === undefined) return undefined
  const [head = "", tail, more] = address.split("::")
  const groupsOf = (side: string) => (side === "" ? [] : side.split(":"))
  const [left, right] = [groupsOf(head), groupsOf(tail ?? "")]
  const missing = 8 - left.length - right.length
  if (more !== undefined || (tail === undefined ? missing !== 0 : missing < 1)) return undefined
  const groups = [...left, ...Array.from({ length: missing }, () => "0"), ...right]
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined
  return joined(
    groups.map((group) => Number.parseInt(group, 16)),
    16n,
  )
}

/** The first 96 bits of IPv4 addresses in IPv6: `::ffff:0:0/96`. */
const MAPPED = 0xffffn

/**
 * Returns the block of an address or of a CIDR such as `192.0.2.0/24`; undefined for other texts. A
 * block of IPv4 addresses that are mapped into IPv6 is the one of those addresses: clients are
 * known by them.
 */
export const networkOf = (text: string): Network | undefined => {
  const [, address = "", length] = /^([0-9a-f.:]{1,45})(?:\/(\d{1,3}))?$/i.exec(text) ?? []
  const width = address.includes(":") ? 128 : 32
  const bits = width === 128 ? ofVersion6(address) : ofVersion4(address)
  const prefix = length === undefined ? width : Number(length)
  if (bits === undefined || prefix > width) return undefined
  return width === 128 && prefix >= 96 && bits >> 32n === MAPPED
    ? { bits: bits & 0xffff_ffffn, prefix: prefix - 96, width: 32 }
    : { bits, prefix, width }
}

/** Returns whether `outer` contains every address of `inner`; false if either is no block. */
export const covers = (outer: string, inner: string): boolean => {
  const [all, some] = [networkOf(outer), networkOf(inner)]
  if (all === undefined || some === undefined) return false
  const rest = BigInt(all.width - all.prefix)
  return (
    all.width === some.width && all.prefix <= some.prefix && all.bits >> rest === some.bits >> rest
  )
}
