import { Result, Schema } from "effect"
import * as Base64 from "effect/encoding/Base64"

/** A public key of X25519 as its owner writes it (Webhook management). */
const FORM = /^[A-Za-z0-9+/]{43}=$/

/**
 * The u-coordinates of small order on the curve and on its twist, as hex of their encoding. With
 * one of them everybody knows the shared secret. The first five are the residues 0, 1, those of
 * order 8 and -1. The others are their other encodings, of which the last three lie above 2^255.
 */
const SMALL_ORDER: ReadonlySet<string> = new Set([
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
  "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "cdeb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b880",
  "4c9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f11d7",
  "d9ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
  "daffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
  "dbffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
])

const hex = (bytes: ReadonlyArray<number>): string =>
  bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")

/**
 * Returns whether a key is of small order, with the highest bit or without it: most programs ignore
 * that bit and a few do not.
 */
const isOfSmallOrder = (bytes: Uint8Array): boolean => {
  const all = [...bytes]
  const masked = [...all.slice(0, -1), (all.at(-1) ?? 0) & 0x7f]
  return SMALL_ORDER.has(hex(all)) || SMALL_ORDER.has(hex(masked))
}

/** Returns what a text must be, if it is no public key to encrypt for; undefined if it is one. */
export const flawOf = (text: string): string | undefined => {
  const decoded = FORM.test(text) ? Result.getOrUndefined(Base64.decode(text)) : undefined
  if (decoded?.length !== 32 || Base64.encode(decoded) !== text) {
    return "must be 32 bytes in base64: 43 characters and ="
  }
  return isOfSmallOrder(decoded) ? "must not be a point of small order" : undefined
}

/** A field that holds a public key. */
export const PublicKey = Schema.String.check(Schema.makeFilter(flawOf))

/** Returns the bytes of a valid public key, see {@link flawOf}. */
export const bytesOf = (publicKey: string): Uint8Array =>
  Result.getOrThrow(Base64.decode(publicKey))

/** Returns the fingerprint that names a key or secret in public, from its hex SHA-256. */
export const fingerprintOf = (sha256: string): string => `fp_${sha256.slice(0, 16)}`
