import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto"
import type { SealingKey } from "./DataKeys.ts"

const SALT_BYTES = 16
const TAG_BYTES = 16
const ALGORITHM = "aes-256-gcm"

const MESSAGE_KEY_BYTES = 32
const NONCE_BYTES = 12

const FORM = /^v2\.([A-Za-z0-9_-]{8})\.[A-Za-z0-9_-]+$/

/** The id of the data key that a sealed text names; undefined for what is no sealed text. */
export const sealedUnder = (sealed: string): string | undefined => FORM.exec(sealed)?.[1]

/** The text, its place and its key's id with their lengths, so that no two read alike. */
const framed = (...parts: ReadonlyArray<string>): string =>
  parts.map((part) => `${part.length}:${part}`).join("")

/** The key and the nonce of one text. */
const messageKey = ({ sealing }: SealingKey, salt: Uint8Array) => {
  const bytes = createHmac("sha512", sealing).update(salt).digest()
  return {
    key: bytes.subarray(0, MESSAGE_KEY_BYTES),
    nonce: bytes.subarray(MESSAGE_KEY_BYTES, MESSAGE_KEY_BYTES + NONCE_BYTES),
  }
}

/** Authenticated beside the text: where it belongs, and which key it says it is under. */
const boundTo = (place: string, { id }: SealingKey): Buffer => Buffer.from(framed(id, place))

/**
 * Seals under a key of the text's own. Its salt is a keyed hash of 16 random bytes, the place and
 * the text: it stays unique when the random bytes come again, as in a process that is resumed twice
 * from one snapshot.
 */
export const seal = (key: SealingKey, place: string, text: string): string => {
  const salt = createHmac("sha256", key.salting)
    .update(randomBytes(16))
    .update(framed(place, text))
    .digest()
    .subarray(0, SALT_BYTES)
  const own = messageKey(key, salt)
  const cipher = createCipheriv(ALGORITHM, own.key, own.nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(boundTo(place, key))
  const body = cipher.update(text, "utf8")
  cipher.final()
  const bytes = Buffer.concat([salt, body, cipher.getAuthTag()])
  return `v2.${key.id}.${bytes.toString("base64url")}`
}

/** The text that was sealed for the place; undefined for anything else. */
export const unseal = (key: SealingKey, place: string, sealed: string): string | undefined => {
  if (sealedUnder(sealed) !== key.id) return undefined
  const bytes = Buffer.from(sealed.slice(sealed.lastIndexOf(".") + 1), "base64url")
  const end = bytes.length - TAG_BYTES
  if (end < SALT_BYTES) return undefined
  const own = messageKey(key, bytes.subarray(0, SALT_BYTES))
  const decipher = createDecipheriv(ALGORITHM, own.key, own.nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(boundTo(place, key))
  decipher.setAuthTag(bytes.subarray(end))
  const text = decipher.update(bytes.subarray(SALT_BYTES, end), undefined, "utf8")
  try {
    return text + decipher.final("utf8")
  } catch {
    return undefined
  }
}
