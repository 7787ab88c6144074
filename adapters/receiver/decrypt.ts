import { createHash } from "node:crypto"
import nacl from "tweetnacl"
import { WebhookError } from "./WebhookError.ts"

/** An X25519 secret key, 32 bytes or their base64. `id` is its id at the service (`whk_…`). */
export type WebhookKey =
  | string
  | Uint8Array
  | { readonly secretKey: string | Uint8Array; readonly id?: string }

/** The body of an encrypted delivery (Authentication 5). */
export interface EncryptedBody {
  readonly encrypted: true
  readonly key_fingerprint?: unknown
  readonly hmac_key_id?: unknown
  readonly ciphertext?: unknown
}

const { nonceLength, overheadLength, publicKeyLength, secretKeyLength } = nacl.box

/** Returns the bytes of a canonical base64 text; undefined for anything else. */
const fromBase64 = (text: unknown): Uint8Array | undefined => {
  if (typeof text !== "string") return undefined
  const bytes = Buffer.from(text, "base64")
  return bytes.toString("base64") === text ? bytes : undefined
}

/** Returns the fingerprint of a public key of 32 bytes: `fp_` and 16 hex digits. */
export const fingerprintOf = (publicKey: Uint8Array): string =>
  `fp_${createHash("sha256").update(publicKey).digest("hex").slice(0, 16)}`

interface Key {
  readonly secretKey: Uint8Array
  readonly fingerprint: string
  readonly id: string | undefined
}

const readKey = (given: WebhookKey): Key => {
  const bare = typeof given === "string" || given instanceof Uint8Array
  const encoded = bare ? given : given.secretKey
  const secretKey = typeof encoded === "string" ? fromBase64(encoded) : encoded
  if (secretKey?.length !== secretKeyLength) {
    throw new TypeError("A webhook key is the 32 bytes of an X25519 secret key, or their base64.")
  }
  const { publicKey } = nacl.box.keyPair.fromSecretKey(secretKey)
  return { secretKey, id: bare ? undefined : given.id, fingerprint: fingerprintOf(publicKey) }
}

const failed = (reason: string): WebhookError =>
  new WebhookError("webhook_decryption_failed", `The delivery cannot be decrypted: ${reason}`)

const chooseKey = (body: EncryptedBody, keys: ReadonlyArray<Key>): Key => {
  const { hmac_key_id: id, key_fingerprint: fingerprint } = body
  const key =
    keys.find((candidate) => candidate.fingerprint === fingerprint) ??
    keys.find((candidate) => candidate.id !== undefined && candidate.id === id)
  if (key !== undefined) return key
  const named = [fingerprint, id].filter((name) => typeof name === "string").join(", ")
  throw new WebhookError(
    "webhook_key_not_found",
    `The delivery is encrypted for the key ${JSON.stringify(named.slice(0, 100))}, whose secret ` +
      `key this receiver does not have. Add the secret key to the receiver's keys, or delete the ` +
      `public key at the service and register another one.`,
  )
}

/**
 * Decrypts a body with the key that it names, by fingerprint or else by id, and returns its bytes.
 * Verify the delivery first: a box does not authenticate its sender. Throws `WebhookError` with
 * `webhook_key_not_found` or `webhook_decryption_failed`.
 */
export const decrypt = (body: EncryptedBody, keys: ReadonlyArray<WebhookKey>): Uint8Array => {
  const { secretKey } = chooseKey(body, keys.map(readKey))
  const box = fromBase64(body.ciphertext)
  if (box === undefined || box.length < publicKeyLength + nonceLength + overheadLength) {
    throw failed("its ciphertext is not the base64 of a box. Tell the service's operator.")
  }
  const sealed = box.subarray(publicKeyLength + nonceLength)
  const nonce = box.subarray(publicKeyLength, publicKeyLength + nonceLength)
  const opened = nacl.box.open(sealed, nonce, box.subarray(0, publicKeyLength), secretKey)
  if (opened === null) {
    throw failed("the box does not open with the key that it names. Check the key's registration.")
  }
  return opened
}
