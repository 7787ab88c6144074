import { SECOND, toIso } from "../../shared/Timestamp.ts"
import { type Event, familyOf } from "./Event.ts"

/**
 * Returns the body of an event's delivery as JSON text, in the envelope of its family (Events).
 * `created` is in unix seconds. The same event always gives the same text.
 */
export const eventBody = ({
  created_at,
  data,
  id,
  type,
}: Pick<Event, "id" | "type" | "data" | "created_at">): string => {
  const family = familyOf(type)
  return JSON.stringify({
    ...(family === "revocation" ? { event: type } : { type }),
    data,
    ...(family === "kyc" && { created_at: toIso(created_at) }),
    id,
    created: Math.floor(created_at / SECOND),
  })
}

/** A key that bodies are encrypted for. */
export interface BodyKey {
  readonly id: string
  /** 32 bytes in base64. */
  readonly public_key: string
  readonly fingerprint: string
}

/**
 * Returns the text of an event that is encrypted, as JSON: `{id, type, data: {object}, created}`,
 * the same for every family (Authentication 5).
 */
export const textToEncrypt = ({ created_at, data, id, type }: Event): string =>
  JSON.stringify({
    id,
    type,
    data: { object: data },
    created: Math.floor(created_at / SECOND),
  })

/** Returns the body of a delivery with an encrypted event, as JSON text (Authentication 5). */
export const encryptedBody = (key: BodyKey, ciphertext: string): string =>
  JSON.stringify({
    encrypted: true,
    key_fingerprint: key.fingerprint,
    ciphertext,
    hmac_key_id: key.id,
  })
