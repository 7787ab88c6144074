import { Effect, Layer } from "effect"
import { isIP } from "node:net"
import { Installation } from "../../core/ports/Installation.ts"
import { ReceiverAddress } from "../../core/ports/ReceiverAddress.ts"
import { isLocalHost } from "../shared/addresses/localHost.ts"
import { isPublic } from "./publicAddress.ts"

const MAX_LENGTH = 2_048
const MAX_NAME_LENGTH = 253

/** Characters that a URL parser would drop or read as another. */
const DISGUISED = /[\s\u0000-\u0020\u007f\\\p{Cf}]/u
const AUTHORITY = /^https?:\/\/([^/?#]+)/i
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

/**
 * Names that never lead to the public internet: reserved names, names in private networks, and the
 * name of a cloud's metadata service.
 */
const INSIDE = new Set(
  (
    "localhost local internal home.arpa localdomain localdomain6 invalid onion intranet private " +
    "corp home lan svc metadata.goog"
  ).split(" "),
)

const HTTPS = "must be an HTTPS URL, such as https://example.com/webhooks"

const nameRefusal = (host: string): string | undefined => {
  const name = host.endsWith(".") ? host.slice(0, -1) : host
  const labels = name.split(".")
  if (name.length > MAX_NAME_LENGTH || !labels.every((label) => LABEL.test(label))) {
    return "must name its host by a valid domain name"
  }
  const inside =
    labels.length === 1 ||
    INSIDE.has(labels.slice(-1).join(".")) ||
    INSIDE.has(labels.slice(-2).join("."))
  return inside ? "must name a host on the public internet" : undefined
}

const hostRefusal = (host: string): string | undefined => {
  const literal = host.startsWith("[") ? host.slice(1, -1) : host
  if (isIP(literal) === 0) return nameRefusal(host)
  return isPublic(literal) ? undefined : "must lead to an address on the public internet"
}

/** Returns why a URL cannot be a receiver; undefined if it can. `local` allows this machine. */
export const refusalOf = (text: string, local: boolean): string | undefined => {
  if (text.length > MAX_LENGTH) return `must be at most ${MAX_LENGTH} characters`
  if (DISGUISED.test(text)) return "must hold no white space, invisible characters or backslashes"
  const authority = AUTHORITY.exec(text)?.[1]
  const url = URL.parse(text)
  if (authority === undefined || url === null) return HTTPS
  if (authority.includes("@")) return "must hold no user name or password"
  if (authority.includes("%")) return "must name its host by a valid domain name"
  if (url.port === "0") return "must hold a port from 1 to 65535"
  if (local && isLocalHost(url.hostname)) return undefined
  return url.protocol === "https:" ? hostRefusal(url.hostname) : HTTPS
}

/** Checks the form of receivers' URLs. Allows this machine if the installation does. */
export const layer: Layer.Layer<ReceiverAddress, never, Installation> = Layer.effect(
  ReceiverAddress,
  Effect.map(Installation, ({ local_receivers }) => ({
    check: (url: string) => refusalOf(url, local_receivers),
  })),
)
