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

const ofVersion6 = (address: string): bigint | undefined => {
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

/**
 * Returns the block of an address or of a CIDR such as `192.0.2.0/24`; undefined for other texts.
 */
export const networkOf = (text: string): Network | undefined => {
  const [, address = "", length] = /^([0-9a-f.:]{1,45})(?:\/(\d{1,3}))?$/i.exec(text) ?? []
  const width = address.includes(":") ? 128 : 32
  const bits = width === 128 ? ofVersion6(address) : ofVersion4(address)
  const prefix = length === undefined ? width : Number(length)
  return bits === undefined || prefix > width ? undefined : { bits, prefix, width }
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
