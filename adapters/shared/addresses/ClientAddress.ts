import { BlockList, isIP, isIPv4 } from "node:net"
import { plain } from "./networkKey.ts"

/** The sources of a request's address. */
export interface RequestSource {
  /** The address of the connection. */
  readonly remote: string | undefined
  /** The header `X-Forwarded-For`. Several are joined by commas. */
  readonly forwarded: string | undefined
}

const CIDR = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i

const familyOf = (address: string): "ipv4" | "ipv6" => (isIPv4(address) ? "ipv4" : "ipv6")

/** Parses a list of addresses and CIDR blocks; undefined if one of them is neither. */
export const networksOf = (blocks: ReadonlyArray<string>): BlockList | undefined => {
  const list = new BlockList()
  for (const block of blocks) {
    const [, address = "", bits] = CIDR.exec(block) ?? []
    if (isIP(address) === 0) return undefined
    const whole = isIPv4(address) ? 32 : 128
    const prefix = bits === undefined ? whole : Number(bits)
    if (prefix > whole) return undefined
    list.addSubnet(address, prefix, familyOf(address))
  }
  return list
}

/** The address of a caller without a known one. */
export const NOBODY = "unknown"

/** Whether an address belongs to one of the networks. */
export const isOf = (networks: BlockList | undefined, given: string | undefined): boolean => {
  if (networks === undefined) return false
  const address = plain(given ?? NOBODY)
  return isIP(address) !== 0 && networks.check(address, familyOf(address))
}

/** Some proxies append the port, and put IPv6 in brackets. */
const HOP = /^(?:\[([\da-f:.]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d{1,5})?$/i

/** Returns the address that a proxy has appended, without its port. */
const hopOf = (text: string): string => {
  const [, inBrackets, ipv4] = HOP.exec(text) ?? []
  return plain(inBrackets ?? ipv4 ?? text)
}

/**
 * Returns the client's address of a request. Proxies append the address that they see to
 * `X-Forwarded-For`. So the last address that is no trusted proxy's is the client's. Anybody may
 * have written the addresses before it.
 */
export const clientAddress = (
  { forwarded, remote }: RequestSource,
  proxies: BlockList | undefined,
): string => {
  let address = plain(remote ?? NOBODY)
  const hops = forwarded?.split(",") ?? []
  while (isOf(proxies, address)) {
    const hop = hopOf(hops.pop()?.trim() ?? "")
    if (isIP(hop) === 0) break
    address = hop
  }
  return address
}
