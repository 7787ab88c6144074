import type { ReadImage } from "../../core/ports/QrReader.ts"
import { MOST_BYTES } from "./limits.ts"
import type { Refusal } from "./messages.ts"

type Format = ReadImage["format"]

/** The bytes of an image, and its format by its first bytes. */
export type Opened =
  | { readonly type: "image"; readonly bytes: Buffer; readonly format: Format }
  | { readonly type: "refused"; readonly refusal: Refusal }

const begins = (bytes: Uint8Array, at: number, text: string): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(text.length, bytes.length - at)).equals(
    Buffer.from(text, "latin1"),
  )

/** Returns the format of an image by its first bytes; undefined for an unknown one. */
export const formatOf = (bytes: Uint8Array): Format | undefined => {
  if (bytes.length < 12) return undefined
  if (begins(bytes, 0, "\x89PNG\r\n\x1a\n")) return "png"
  if (begins(bytes, 0, "\xff\xd8\xff")) return "jpeg"
  if (begins(bytes, 0, "GIF87a") || begins(bytes, 0, "GIF89a")) return "gif"
  return begins(bytes, 0, "RIFF") && begins(bytes, 8, "WEBP") ? "webp" : undefined
}

const refused = (refusal: Refusal): Opened => ({ type: "refused", refusal })

/** Decodes an image from base64, in either alphabet, with or without line breaks. */
export const openImage = (base64: Uint8Array): Opened => {
  const text = Buffer.from(base64).toString("latin1").replace(/\s+/g, "")
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return refused("not_base64")
  const bytes = Buffer.from(text, "base64")
  if (bytes.length > MOST_BYTES) return refused("too_many_bytes")
  const format = formatOf(bytes)
  return format === undefined ? refused("not_image") : { type: "image", bytes, format }
}
