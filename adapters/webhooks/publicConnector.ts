import type { LookupAddress } from "node:dns"
import { isIP, type LookupFunction } from "node:net"
import { createSecureContext } from "node:tls"
import { buildConnector } from "undici"
import { isLocalHost } from "../shared/addresses/localHost.ts"
import { isLoopback, isPublic } from "./publicAddress.ts"
import type { ResolveName } from "./resolveName.ts"

/** A connection to a forbidden address. */
class AddressForbidden extends Error {
  readonly code = "ADDRESS_FORBIDDEN"
}

/** A name without an address, or whose name servers do not answer. */
class NameUnresolved extends Error {
  readonly code = "NAME_UNRESOLVED"
}

const resolve = async (resolveName: ResolveName, host: string): Promise<ReadonlyArray<string>> => {
  const found = await resolveName(host).catch((cause: unknown) => {
    throw new NameUnresolved(`${host} cannot be resolved`, { cause })
  })
  if (found.length === 0) throw new NameUnresolved(`${host} has no address`)
  return found
}

export interface ConnectorOptions {
  /** Whether receivers on this machine are allowed, by the names for it. */
  readonly local: boolean
  readonly resolveName: ResolveName
  /** Time limit in milliseconds for resolving, connecting and TLS together. */
  readonly timeout: number
  /** Trusted authorities instead of the usual ones, as PEM. */
  readonly ca?: string
}

const LOOPBACK = ["127.0.0.1", "::1"]

type Allows = (host: string, address: string | undefined) => boolean

const makeAllows =
  (local: boolean): Allows =>
  (host, address) =>
    address !== undefined &&
    (isPublic(address) || (local && isLocalHost(host) && isLoopback(address)))

/** Returns every address of the name. Rejects if one of them is forbidden. */
const addressesOf = async (
  host: string,
  { local, resolveName }: ConnectorOptions,
  allows: Allows,
): Promise<Array<LookupAddress>> => {
  const found = local && isLocalHost(host) ? LOOPBACK : await resolve(resolveName, host)
  const forbidden = found.find((address) => !allows(host, address))
  if (forbidden !== undefined) throw new AddressForbidden(`${host} leads to ${forbidden}`)
  return found.map((address) => ({ address, family: isIP(address) }))
}

const makeLookup =
  (options: ConnectorOptions, allows: Allows): LookupFunction =>
  (host, { all }, callback) => {
    addressesOf(host, options, allows).then(
      (addresses) => {
        const [first] = addresses
        if (all === true || first === undefined) callback(null, addresses)
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    )
  }

/** Makes a function that opens connections, such as undici's `buildConnector`. */
export type MakeConnector = (options: buildConnector.BuildOptions) => buildConnector.connector

/**
 * Opens connections only to public addresses. A name is resolved for each connection, and refused
 * if one of its addresses is forbidden. A literal address, which is never resolved, is checked
 * first. The address that the socket has reached is checked before a byte is sent.
 */
export const makePublicConnector = (
  options: ConnectorOptions,
  make: MakeConnector = buildConnector,
): buildConnector.connector => {
  const allows = makeAllows(options.local)
  const connect = make({
    lookup: makeLookup(options, allows),
    timeout: options.timeout,
    allowH2: false,
    // Otherwise each connection makes its own, which is a sixth of a delivery over a new one.
    secureContext: createSecureContext(options.ca === undefined ? {} : { ca: options.ca }),
  })
  return (target, callback) => {
    if (isIP(target.hostname) !== 0 && !allows(target.hostname, target.hostname)) {
      callback(new AddressForbidden(`${target.hostname} is forbidden`), null)
      return
    }
    connect(target, (...[error, socket]) => {
      if (error !== null) return callback(error, null)
      if (allows(target.hostname, socket.remoteAddress)) return callback(null, socket)
      socket.destroy()
      callback(new AddressForbidden(`${target.hostname} led to a forbidden address`), null)
    })
  }
}
