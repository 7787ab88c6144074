import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto"
import type { Vault } from "../../core/ports/Vault.ts"
import { derive } from "./DataKeys.ts"

/** The DER prefix of the 32 bytes of a key (RFC 8410). */
const PRIVATE = Buffer.from("302e020100300506032b657004220420", "hex")
const PUBLIC = Buffer.from("302a300506032b6570032100", "hex")

const verified = (key: KeyObject, text: string, signature: string): boolean =>
  verify(null, Buffer.from(text), key, Buffer.from(signature, "base64url"))

/** Verifies signatures by a 32-byte public key in base64url. Undefined for an invalid key. */
export const signedBy = (
  publicKey: string,
): ((text: string, signature: string) => boolean) | undefined => {
  const bytes = Buffer.from(publicKey, "base64url")
  if (bytes.length !== 32 || bytes.toString("base64url") !== publicKey) return undefined
  const key = createPublicKey({ key: Buffer.concat([PUBLIC, bytes]), format: "der", type: "spki" })
  return (text, signature) => verified(key, text, signature)
}

const pairOf = (root: Uint8Array) => {
  const der = Buffer.concat([PRIVATE, derive(root, "payport/sign")])
  const secret = createPrivateKey({ key: der, format: "der", type: "pkcs8" })
  const shown = createPublicKey(secret)
  const bytes = shown.export({ format: "der", type: "spki" }).subarray(PUBLIC.length)
  return { secret, shown, name: bytes.toString("base64url") }
}

/** Signs with a key that is derived from the root key when it is first needed. */
export const signatures = (
  root: Uint8Array,
): Pick<Vault["Service"], "isSigned" | "sign" | "signer"> => {
  let known: ReturnType<typeof pairOf> | undefined
  const pair = () => (known ??= pairOf(root))
  return {
    sign: (text) => sign(null, Buffer.from(text), pair().secret).toString("base64url"),
    isSigned: (text, signature) => verified(pair().shown, text, signature),
    signer: () => pair().name,
  }
}
