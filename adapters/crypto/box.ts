import nacl from "tweetnacl"

/**
 * Returns a NaCl box in base64: 32 bytes of a new public key for this box, 24 bytes nonce, then the
 * text as UTF-8, encrypted for the holder of `publicKey` (32 bytes in base64).
 */
export const box = (publicKey: string, text: string): string => {
  const ephemeral = nacl.box.keyPair()
  const nonce = nacl.randomBytes(nacl.box.nonceLength)
  const recipient = Buffer.from(publicKey, "base64")
  const sealed = nacl.box(Buffer.from(text, "utf8"), nonce, recipient, ephemeral.secretKey)
  return Buffer.concat([ephemeral.publicKey, nonce, sealed]).toString("base64")
}
