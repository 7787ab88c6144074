import type { WebhookEvent } from "./Events.ts"
import { WebhookError } from "./WebhookError.ts"

type Fields = { readonly [field: string]: unknown }

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
const ID = /^[\x21-\x7e]{1,200}$/

const unreadable = (what: string): WebhookError =>
  new WebhookError(
    "webhook_payload_invalid",
    `The delivery is signed correctly, but ${what}. Check that only webhooks use this URL.`,
  )

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Parses a JSON object in UTF-8. Throws `webhook_payload_invalid` for anything else. */
export const parseFields = (bytes: Uint8Array): Fields => {
  let parsed: unknown
  try {
    parsed = JSON.parse(utf8.decode(bytes))
  } catch {
    throw unreadable("its body is not JSON in UTF-8")
  }
  if (!isFields(parsed)) throw unreadable("its body is not a JSON object")
  return parsed
}

/** Returns the fields of a decrypted event, whose data is under `object` (Authentication 5). */
export const unwrapped = (fields: Fields): Fields => {
  const { data } = fields
  const wraps = isFields(data) && Object.keys(data).join() === "object" && isFields(data["object"])
  return wraps ? { ...fields, data: data["object"] } : fields
}

/**
 * Returns the event in an envelope: `{type, data}` of payments and KYC, `{event, data}` of
 * revocations, or a decrypted body. Throws `webhook_payload_invalid` for anything else.
 */
export const readEvent = (fields: Fields): WebhookEvent => {
  const { created, data, id } = fields
  const type = fields["type"] ?? fields["event"]
  if (typeof id !== "string" || !ID.test(id)) throw unreadable("its event has no id")
  if (typeof type !== "string" || type === "") throw unreadable("its event has no type")
  if (!isFields(data)) throw unreadable("its event has no data")
  if (typeof created !== "number" || !Number.isSafeInteger(created)) {
    throw unreadable("its event does not say when it was created")
  }
  // Types of later versions are not in the union. A receiver ignores them.
  return { id, type, data, created } as WebhookEvent
}
