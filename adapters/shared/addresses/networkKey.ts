// @payport/sdk ships with this file, also for workers without Node: so it imports nothing.

const MAPPED = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([\da-f]{1,4}):([\da-f]{1,4}))$/i

const byteOf = (group: string, low: boolean): number => {
  const number = Number.parseInt(group, 16)
  return low ? number & 0xff : number >> 8
}

/** Returns the IPv4 address for one that is mapped into IPv6. */
export const plain = (address: string): string => {
  const [, dotted, high = "", low = ""] = MAPPED.exec(address) ?? []
  if (dotted !== undefined) return dotted
  if (low === "") return address
  return [high, low].flatMap((group) => [byteOf(group, false), byteOf(group, true)]).join(".")
}

/** The groups of an IPv6 address, as hexadecimal numbers; undefined for anything else. */
const groupsOf = (given: string): ReadonlyArray<string> | undefined => {
  const [address = ""] = given.split("%")
  const isWritten = /^[\da-f:.]*:[\da-f:.]*$/i.test(address)
  if (!isWritten || !URL.canParse(`http://[${address}]`)) return undefined
  const [head = "", tail = ""] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::")
  const left = head === "" ? [] : head.split(":")
  const right = tail === "" ? [] : tail.split(":")
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => "0")
  return [...left, ...zeros, ...right]
}

/** Returns the network that shares a limit: in IPv6 everybody has 64 bits of addresses. */
export const networkKey = (given: string): string => {
  const address = plain(given)
  return groupsOf(address)?.slice(0, 4).join(":") ?? address
}

/**
 * Returns the larger network that one organization may have: 48 bits in IPv6, and 24 in IPv4.
 * Anything but an address is its own.
 */
export const siteKey = (given: string): string => {
  const address = plain(given)
  const [, site = address] = /^(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/.exec(address) ?? []
  return groupsOf(address)?.slice(0, 3).join(":") ?? site
}
