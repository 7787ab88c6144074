import { createHmac, timingSafeEqual } from "node:crypto"
import type { CallbackCodec } from "./OwnChannel.ts"

/** How a channel signs its callbacks: HMAC-SHA256 of the raw body, in a header. */
export interface HmacSignature {
  /** The header that holds it. */
  readonly header: string
  /** What was agreed upon with the channel. It may not be empty. */
  readonly secret: string | Uint8Array
  /** How it is written; lower-case `hex` unless given. */
  readonly encoding?: "hex" | "base64"
}

/**
 * The `verify` of a codec whose channel signs so. Signatures are compared in constant time. Throws
 * a `TypeError` for an empty secret, with which anybody could sign.
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
