import { createCipheriv, createDecipheriv, hash } from "node:crypto"
import { SALT_BYTES, type SealingKey } from "./DataKeys.ts"

const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = SALT_BYTES + NONCE_BYTES
const ALGORITHM = "aes-256-gcm"

const FORM = /^v2\.([A-Za-z0-9_-]{8})\.[A-Za-z0-9_-]+$/

/** Returns the id of the data key of a sealed text; undefined for any other text. */
export const sealedUnder = (sealed: string): string | undefined => FORM.exec(sealed)?.[1]

/** Returns a text with its length before it, so that no two sequences of them are equal. */
const framed = (part: string): string => `${part.length}:${part}`

/**
 * Returns a keyed hash of the number of sealed texts, the place and the text. It differs if one of
 * them does, also if the number is repeated, as in a process that is resumed twice from one
 * snapshot. Twelve bytes of the digest do not allow a length extension, so the key before the
 * content suffices for a keyed hash.
 */
const nonceOf = ({ nonces }: SealingKey, sealed: number, place: string, text: string): Buffer => {
  const hashed = `${nonces}${framed(String(sealed))}${framed(place)}${framed(text)}`
  // As text, because the engine makes a text in half the time of a buffer.
  return Buffer.from(hash("sha256", hashed, "binary").slice(0, NONCE_BYTES), "latin1")
}

/** Returns the authenticated data: the text's place, and the id of its key. */
const boundTo = (place: string, { id }: SealingKey): Buffer =>
  Buffer.from(`${framed(id)}${framed(place)}`)

const OPTIONS = { authTagLength: TAG_BYTES }

/** Seals a text under a key of this process, with its own nonce. */
export const seal = (key: SealingKey, place: string, text: string): string => {
  const own = key.texts.next()
  const nonce = nonceOf(key, own.sealed, place, text)
  const cipher = createCipheriv(ALGORITHM, own.key, nonce, OPTIONS)
  cipher.setAAD(boundTo(place, key))
  const body = cipher.update(text, "utf8")
  cipher.final()
  const bytes = Buffer.concat([own.salt, nonce, body, cipher.getAuthTag()])
  return `v2.${key.id}.${bytes.toString("base64url")}`
}

/** Returns the text that was sealed for the place; undefined for anything else. */
export const unseal = (key: SealingKey, place: string, sealed: string): string | undefined => {
  if (sealedUnder(sealed) !== key.id) return undefined
  const bytes = Buffer.from(sealed.slice(sealed.lastIndexOf(".") + 1), "base64url")
  const end = bytes.length - TAG_BYTES
  if (end < HEAD_BYTES) return undefined
  const own = key.texts.of(bytes.subarray(0, SALT_BYTES))
  const nonce = bytes.subarray(SALT_BYTES, HEAD_BYTES)
  const decipher = createDecipheriv(ALGORITHM, own, nonce, OPTIONS)
  decipher.setAAD(boundTo(place, key))
  decipher.setAuthTag(bytes.subarray(end))
  const text = decipher.update(bytes.subarray(HEAD_BYTES, end), undefined, "utf8")
  try {
    return text + decipher.final("utf8")
  } catch {
    return undefined
  }
}
