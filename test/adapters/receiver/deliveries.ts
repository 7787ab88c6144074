import sodium, { ready } from "libsodium-wrappers"
import { createHash, createHmac } from "node:crypto"

await ready

/** The wall clock of these tests: 2026-03-01T12:00:00Z in milliseconds. */
export const NOW = 1_772_366_400_000
export const SECRET = "whsec_current-secret-of-the-tests"
export const OLD_SECRET = "whsec_old-secret-of-the-tests"

/** A delivery that can be changed on its way. */
export interface Delivery {
  readonly headers: { readonly [name: string]: string }
  readonly body: Buffer
}

const hmac = (secret: string, ...parts: ReadonlyArray<string | Buffer>): string =>
  parts.reduce((mac, part) => mac.update(part), createHmac("sha256", secret)).digest("hex")

export interface Signing {
  readonly secrets?: ReadonlyArray<string>
  /** Milliseconds since 1970. */
  readonly at?: number
  readonly enc?: string
}

/** The header of scheme A. */
export const timedHeader = (body: Buffer, signing: Signing = {}): string => {
  const { at = NOW, enc, secrets = [SECRET] } = signing
  const t = Math.floor(at / 1_000)
  const signatures = secrets.map((secret) => `v1=${hmac(secret, `${t}.`, body)}`)
  return [`t=${t}`, ...signatures, ...(enc === undefined ? [] : [`enc=${enc}`])].join(",")
}

/** The header of scheme B. */
export const plainHeader = (body: Buffer, secrets: ReadonlyArray<string> = [SECRET]): string =>
  secrets.map((secret) => hmac(secret, body)).join(",")

export const anEvent = (said: object = {}) => ({
  id: "evt_0195a1b2",
  type: "payment_intent.succeeded",
  data: { id: "pi_1", amount: { currency: "USD", value: 699 }, note: "café ☕" },
  created: 1_772_366_399,
  ...said,
})

const bytes = (value: object | Buffer): Buffer =>
  Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value))

export const schemeA = (event: object | Buffer = anEvent(), signing: Signing = {}): Delivery => {
  const body = bytes(event)
  return { headers: { "Webhook-Signature": timedHeader(body, signing) }, body }
}

export const schemeB = (event: object | Buffer = anEvent(), signing: Signing = {}): Delivery => {
  const { headers, body } = schemeA(event, signing)
  return {
    headers: { ...headers, "X-Webhook-Signature": plainHeader(body, signing.secrets) },
    body,
  }
}

/** A key pair of the receiver, with the fingerprint that the service gives it. */
export const aKeyPair = () => {
  const { publicKey, privateKey } = sodium.crypto_box_keypair()
  const digest = createHash("sha256").update(publicKey).digest("hex")
  return { publicKey, secretKey: privateKey, fingerprint: `fp_${digest.slice(0, 16)}` }
}

export type KeyPair = ReturnType<typeof aKeyPair>

/** 32 bytes ephemeral public key, 24 bytes nonce, box; in base64. */
export const box = (text: string | Uint8Array, publicKey: Uint8Array): string => {
  const ephemeral = sodium.crypto_box_keypair()
  const nonce = sodium.randombytes_buf(sodium.crypto_box_NONCEBYTES)
  const sealed = sodium.crypto_box_easy(text, nonce, publicKey, ephemeral.privateKey)
  return Buffer.concat([ephemeral.publicKey, nonce, sealed]).toString("base64")
}

/** The body of a delivery encrypted for that key. */
export const encryptedBody = (event: object | string, key: KeyPair, said: object = {}) => ({
  encrypted: true,
  key_fingerprint: key.fingerprint,
  hmac_key_id: "whk_1",
  ciphertext: box(typeof event === "string" ? event : JSON.stringify(event), key.publicKey),
  ...said,
})

/** A whole encrypted delivery of scheme A. */
export const encrypted = (event: object | string, key: KeyPair, said: object = {}): Delivery => {
  const body = encryptedBody(event, key, said)
  return schemeA(body, { enc: Buffer.from(body.key_fingerprint).toString("base64") })
}
