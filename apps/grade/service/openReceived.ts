import nacl from "tweetnacl"
import { verify } from "../../../adapters/receiver/verify.ts"
import { WebhookError } from "../../../adapters/receiver/WebhookError.ts"
import { parseFields } from "../../../adapters/receiver/WebhookEvent.ts"
import type { Received } from "../../simulate/blackbox/Receiver.ts"

/** The event of a delivery, or why it cannot be trusted. */
export type Opened = { readonly event: Told } | { readonly flaw: string }

/** An event as it arrived. */
export interface Told {
  /** From the body, otherwise from a header. */
  readonly id: string | undefined
  readonly type: string
  readonly data: { readonly [field: string]: unknown }
}

const isFields = (value: unknown): value is { readonly [field: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** `wh_evt_<event id>-retry-<n>` */
const KEY = /^wh_evt_(.+)-retry-(\d+)$/

/** Returns the number and the id in a delivery's `Idempotency-Key`. */
export const keyOf = ({ headers }: Received) => {
  const [, id, retry] = KEY.exec(headers["idempotency-key"] ?? "") ?? []
  return id === undefined ? undefined : { id, retry: Number(retry) }
}

const eventOf = (fields: { readonly [field: string]: unknown }, received: Received): Opened => {
  const { headers } = received
  const type = fields["type"] ?? fields["event"]
  const { data } = fields
  if (typeof type !== "string" || !isFields(data)) return { flaw: "a body without type and data" }
  const ids = [fields["id"], headers["webhook-id"], headers["x-webhook-id"], keyOf(received)?.id]
  const id = ids.find((one) => typeof one === "string")
  const object = data["object"]
  const wraps = Object.keys(data).join() === "object" && isFields(object)
  return { event: { id, type, data: wraps ? object : data } }
}

const { nonceLength, publicKeyLength } = nacl.box

/** Decrypts a body: the sender's public key, the nonce, and the ciphertext. */
const unsealed = (ciphertext: unknown, secretKey: Uint8Array): Uint8Array | null => {
  const bytes = Uint8Array.from(Buffer.from(String(ciphertext), "base64"))
  const start = publicKeyLength + nonceLength
  if (bytes.length <= start) return null
  const nonce = bytes.subarray(publicKeyLength, start)
  return nacl.box.open(bytes.subarray(start), nonce, bytes.subarray(0, publicKeyLength), secretKey)
}

/**
 * Opens a delivery like a receiver with this secret and this X25519 key, by the time of this
 * machine or of the service.
 */
export const openReceived = (received: Received, secret: string, key?: Uint8Array): Opened => {
  const { at, body, headers, service_at } = received
  const check = (now: number): string | undefined => {
    try {
      verify({ headers, body }, { secrets: [secret], untimed: true, now: () => now })
      return undefined
    } catch (error) {
      if (error instanceof WebhookError) return error.message
      throw error
    }
  }
  const flaw = check(at) === undefined ? undefined : check(service_at)
  if (flaw !== undefined) return { flaw }
  try {
    const fields = parseFields(body)
    if (fields["encrypted"] !== true) return eventOf(fields, received)
    const hidden = key === undefined ? null : unsealed(fields["ciphertext"], key)
    if (hidden === null) return { flaw: "a box that the registered key does not open" }
    return eventOf(parseFields(hidden), received)
  } catch (error) {
    if (error instanceof WebhookError) return { flaw: error.message }
    throw error
  }
}
