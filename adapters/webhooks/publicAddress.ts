import ipaddr from "ipaddr.js"
import { isIP } from "node:net"

/** Addresses that answer only inside a cloud, for managing its machines. */
const MANAGEMENT = new Set(["168.63.129.16"])

/**
 * Global unicast is 2000::/3. The library knows its special parts. An interface identifier of
 * 0:5efe or 200:5efe tunnels to the IPv4 address behind it.
 */
const isPublicIpv6 = (address: ipaddr.IPv6): boolean => {
  const [first = 0, , , , fifth = 0, sixth = 0] = address.parts
  const tunnels = sixth === 0x5efe && (fifth & 0xfdff) === 0
  return address.range() === "unicast" && (first & 0xe000) === 0x2000 && !tunnels
}

/**
 * Whether an IP address in its usual notation is one machine on the public internet. Forms that
 * hold another address (IPv4-mapped, NAT64, 6to4, Teredo) never are, even if that one is public.
 */
export const isPublic = (text: string): boolean => {
  if (isIP(text) === 0 || text.includes("%") || MANAGEMENT.has(text)) return false
  const address = ipaddr.parse(text)
  return address instanceof ipaddr.IPv6 ? isPublicIpv6(address) : address.range() === "unicast"
}

/** Whether an IP address in its usual notation is this machine's own. */
export const isLoopback = (text: string): boolean =>
  isIP(text) !== 0 && ipaddr.parse(text).range() === "loopback"
