import type { Timestamp } from "./Timestamp.ts"

/** The prefix that shows the kind of an identifier. */
export type IdPrefix =
  | "acct"
  | "agt"
  | "key"
  | "pi"
  | "qr"
  | "evt"
  | "wd"
  | "we"
  | "whk"
  | "creq"
  | "cb"
  | "cses"
  | "disc"
  | "ref"
  | "rr"
  | "fxq"
  | "post"
  | "jrn"
  | "fday"
  | "kyc"
  | "appl"
  | "otpa"
  | "rvk"
  | "ai"
  | "rrun"
  | "cyc"
  | "stmt"
  | "ins"
  | "mnd"
  | "sub"
  | "inv"
  | "tab"
  | "use"
  | "scan"
  | "aud"
  | "log"
  | "chl"
  | "lst"
  | "cons"
  | "feed"

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Returns whether the text is a UUID in its canonical lower-case form. */
export const isUuid = (text: string): boolean => UUID.test(text)

/**
 * Returns when an identifier was drawn: the milliseconds in the first digits of a UUIDv7. Those of
 * a UUID of another version mean nothing.
 */
export const drawnAt = (id: string): Timestamp =>
  Number.parseInt(id.slice(-36, -28) + id.slice(-27, -23), 16)

/**
 * Returns whether an identifier has the form of a random one, and not that of a name (a UUID of
 * version 8). See also {@link uuidAt}.
 */
export const isDrawn = (id: string): boolean => id.at(-22) !== "8"

/** Returns whether the text is an identifier of that kind: the prefix, `_` and a UUID. */
export const isId = (prefix: IdPrefix, text: string): boolean =>
  text.startsWith(`${prefix}_`) && UUID.test(text.slice(prefix.length + 1))

/** The most names whose UUIDs are cached, because the same few names come again and again. */
const NAMES_KEPT = 1_024

const named = new Map<string, string>()

/**
 * Returns the permanent UUID (version 8) of a name: the first 122 bits of its SHA-256. `sha256`
 * returns lower-case hex.
 */
export const uuidOfName = (name: string, sha256: (text: string) => string): string => {
  const known = named.get(name)
  if (known !== undefined) return known
  if (named.size >= NAMES_KEPT) named.clear()
  const uuid = uuidOfHash(sha256(name))
  named.set(name, uuid)
  return uuid
}

/** Returns the UUID (version 8) of the first 122 bits of a hash in lower-case hex. */
export const uuidOfHash = (hex: string): string => {
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-")
}

/**
 * Returns the UUIDv7 of a time (milliseconds) and a hash in lower-case hex, which has its random
 * bits. A record that is made again from the same facts has the same id, among others of that time.
 */
export const uuidAt = (at: Timestamp, hex: string): string => {
  const time = at.toString(16).padStart(12, "0")
  const variant = ((Number.parseInt(hex.charAt(3), 16) & 3) | 8).toString(16)
  return [
    time.slice(0, 8),
    time.slice(8),
    `7${hex.slice(0, 3)}`,
    `${variant}${hex.slice(4, 7)}`,
    hex.slice(7, 19),
  ].join("-")
}

/** The source of new identifiers. */
export interface IdSource {
  /** A new UUIDv7 in canonical lower-case form. */
  readonly uuid: () => string
}
