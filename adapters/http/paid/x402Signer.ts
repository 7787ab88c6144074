import { createPrivateKey, createPublicKey, KeyObject, sign } from "node:crypto"
import { encodeFields } from "../client/Fields.ts"
import type { X402Offer, X402Receipt, X402Signed } from "../client/x402Offers.ts"

/** Signs offers and receipts, in the form of x402's packages. */
export interface X402Signer {
  readonly format: "jws"
  /** The name of the key as a DID: `did:web:api.example#key-1`. */
  readonly kid: string
  /** The JWS name: `EdDSA`, `ES256` or another. */
  readonly algorithm: string
  /** Returns the signature of these bytes as base64url. */
  readonly sign: (bytes: Uint8Array) => Promise<string>
}

/** A private key as a JWK (RFC 7517). */
export interface X402Jwk {
  readonly kty?: string
  readonly crv?: string
  readonly x?: string
  readonly y?: string
  readonly d?: string
}

/** A private key as Node's `KeyObject`. */
export interface X402KeyObject {
  readonly type: "private" | "public" | "secret"
  readonly asymmetricKeyType?: string | undefined
}

/** A key of Ed25519 or P-256: PEM, a JWK, or Node's own object. */
export type X402SigningKey = string | X402KeyObject | X402Jwk

const privateKeyOf = (key: X402SigningKey): KeyObject => {
  if (typeof key === "string") return createPrivateKey(key)
  return key instanceof KeyObject ? key : createPrivateKey({ key: { ...key }, format: "jwk" })
}

/** Returns the algorithm of a key: its JWS name, and Node's hash for signing. */
const algorithmOf = ({ asymmetricKeyDetails, asymmetricKeyType }: KeyObject) => {
  if (asymmetricKeyType === "ed25519") return { name: "EdDSA", hash: null } as const
  if (asymmetricKeyType === "ec" && asymmetricKeyDetails?.namedCurve === "prime256v1") {
    return { name: "ES256", hash: "sha256" } as const
  }
  throw new TypeError("Offers are signed with a private key of Ed25519 or P-256.")
}

/**
 * Makes a signer with a seller's private key. The default `kid` is a `did:jwk`, which holds the
 * public key itself. A `did:web` of the shop's domain also says whose key it is.
 */
export const x402Signer = (privateKey: X402SigningKey, kid?: string): X402Signer => {
  const key = privateKeyOf(privateKey)
  const { hash, name } = algorithmOf(key)
  const { crv, kty, x, y } = createPublicKey(key).export({ format: "jwk" })
  return {
    format: "jws",
    kid: kid ?? `did:jwk:${encodeFields({ crv, kty, x, y })}#0`,
    algorithm: name,
    sign: (bytes) =>
      Promise.resolve(sign(hash, bytes, { key, dsaEncoding: "ieee-p1363" }).toString("base64url")),
  }
}

/** Returns an offer or a receipt as a JWS in compact form. Its payload is canonical JSON. */
export const signed = async (
  payload: X402Offer | X402Receipt,
  { algorithm, kid, sign: signText }: X402Signer,
): Promise<X402Signed> => {
  const text = `${encodeFields({ alg: algorithm, kid })}.${encodeFields(payload)}`
  return { format: "jws", signature: `${text}.${await signText(new TextEncoder().encode(text))}` }
}
