import { createHmac, timingSafeEqual } from "node:crypto"
import type { CallbackCodec } from "./OwnChannel.ts"

/** How a channel signs its callbacks: an HMAC-SHA256 of the raw body in a header. */
export interface HmacSignature {
  /** The header with the signature. */
  readonly header: string
  /** The secret shared with the channel. It may not be empty. */
  readonly secret: string | Uint8Array
  /** The encoding; lower-case `hex` by default. */
  readonly encoding?: "hex" | "base64"
}

/**
 * Returns the `verify` of a codec for such signatures. Signatures are compared in constant time.
 * Throws a `TypeError` for an empty secret, with which anybody could sign.
 */
export const hmacSignature = ({
  encoding = "hex",
  header,
  secret,
}: HmacSignature): CallbackCodec["verify"] => {
  if (secret.length === 0) throw new TypeError("The secret of a channel's signature is empty.")
  const name = header.toLowerCase()
  return ({ body, headers }) => {
    const right = Buffer.from(createHmac("sha256", secret).update(body).digest(encoding))
    const sent = Buffer.from(headers[name] ?? "")
    return sent.length === right.length && timingSafeEqual(sent, right)
  }
}
