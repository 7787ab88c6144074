import { Effect, Layer, Redacted } from "effect"
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from "node:crypto"
import { Unsealable, Vault } from "../../core/ports/Vault.ts"
import { box } from "./box.ts"

const KEY_BYTES = 32
const SALT_BYTES = 16
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = SALT_BYTES + NONCE_BYTES
const ALGORITHM = "aes-256-gcm"
const FORMAT = "v1."

/** How many derived keys of other processes, and earlier ones, are kept for opening. */
const KEYS_KEPT = 1_024

const derive = (master: Uint8Array, salt: Uint8Array, purpose: string): KeyObject =>
  createSecretKey(new Uint8Array(hkdfSync("sha256", master, salt, purpose, KEY_BYTES)))

/** Derives sealing keys from their salts, and keeps the last ones used. */
const keyring = (master: Uint8Array) => {
  const keys = new Map<string, KeyObject>()
  return (salt: Uint8Array): KeyObject => {
    const name = Buffer.from(salt).toString("latin1")
    const known = keys.get(name)
    if (known !== undefined) return known
    const key = derive(master, salt, "payport/seal")
    const oldest = keys.keys().next()
    if (keys.size >= KEYS_KEPT && !oldest.done) keys.delete(oldest.value)
    keys.set(name, key)
    return key
  }
}

/**
 * Seals under a key that no other vault has, derived from a random salt, so that a counter is a
 * nonce that never repeats. The sealed text is `v1.` and the base64url of salt (16 bytes), nonce
 * (12), ciphertext and tag (16); the place is authenticated with it.
 */
const makeSeal = (keyOf: (salt: Uint8Array) => KeyObject) => {
  const head = Buffer.alloc(HEAD_BYTES)
  randomBytes(SALT_BYTES).copy(head)
  const nonce = head.subarray(SALT_BYTES)
  const key = keyOf(Buffer.from(head.subarray(0, SALT_BYTES)))
  let sealed = 0
  return (place: string, text: string): string => {
    sealed += 1
    nonce.writeUIntBE(sealed, NONCE_BYTES - 6, 6)
    const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
    cipher.setAAD(Buffer.from(place))
    const body = cipher.update(text, "utf8")
    cipher.final()
    return FORMAT + Buffer.concat([head, body, cipher.getAuthTag()]).toString("base64url")
  }
}

const unseal = (
  keyOf: (salt: Uint8Array) => KeyObject,
  place: string,
  sealed: string,
): string | undefined => {
  if (!sealed.startsWith(FORMAT)) return undefined
  const bytes = Buffer.from(sealed.slice(FORMAT.length), "base64url")
  const end = bytes.length - TAG_BYTES
  if (end < HEAD_BYTES) return undefined
  const key = keyOf(bytes.subarray(0, SALT_BYTES))
  const nonce = bytes.subarray(SALT_BYTES, HEAD_BYTES)
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(place))
  decipher.setAuthTag(bytes.subarray(end))
  const text = decipher.update(bytes.subarray(HEAD_BYTES, end), undefined, "utf8")
  try {
    return text + decipher.final("utf8")
  } catch {
    return undefined
  }
}

const hmac = (key: string | KeyObject, message: string | Uint8Array): string =>
  createHmac("sha256", key).update(message).digest("hex")

/** A vault over a master key of 32 bytes. Throws a `RangeError` for any other length. */
export const makeVault = (master: Uint8Array): Vault["Service"] => {
  if (master.length !== KEY_BYTES) {
    throw new RangeError(`The master key has to be ${KEY_BYTES} bytes, not ${master.length}.`)
  }
  const keyOf = keyring(master)
  const fingerprintKey = derive(master, new Uint8Array(), "payport/fingerprint")
    .export()
    .toString("hex")
  return {
    seal: makeSeal(keyOf),
    open: (place, sealed) =>
      Effect.suspend(() => {
        const text = unseal(keyOf, place, sealed)
        return text === undefined ? Effect.fail(new Unsealable({ place })) : Effect.succeed(text)
      }),
    sha256: (content) => hash("sha256", content, "hex"),
    // The inner digest has one length, so that the key before it makes the outer one a keyed hash.
    fingerprint: (text) => hash("sha256", fingerprintKey + hash("sha256", text, "hex"), "hex"),
    hmac,
    box,
    equal: (a, b) => timingSafeEqual(hash("sha256", a, "buffer"), hash("sha256", b, "buffer")),
    token: () => randomBytes(32).toString("base64url"),
  }
}

/** The vault of an installation, over its master key of 32 bytes. */
export const layer = (master: Redacted.Redacted<Uint8Array>): Layer.Layer<Vault> =>
  Layer.sync(Vault, () => makeVault(Redacted.value(master)))
