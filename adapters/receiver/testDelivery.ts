import { createHmac, randomUUID } from "node:crypto"

/** What a test says that happened: an event by its type, with as much of its data as it needs. */
export interface TestEvent {
  readonly type: string
  readonly data: object
  /** A new one unless given. */
  readonly id?: string
  /** Unix seconds; now unless given. */
  readonly created?: number
}

/** A delivery as the service sends it, for a test of one's own receiver. */
export interface TestDelivery {
  readonly method: "POST"
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/**
 * A delivery of an event, signed now with the receiver's secret: what `fetch(url, delivery)` sends
 * is genuine for whoever knows that secret.
 */
export const testDelivery = (
  { created = Math.floor(Date.now() / 1_000), data, id = `evt_${randomUUID()}`, type }: TestEvent,
  secret: string,
): TestDelivery => {
  const body = JSON.stringify({ id, type, data, created })
  const sign = (text: string) => createHmac("sha256", secret).update(text).digest("hex")
  const at = Math.floor(Date.now() / 1_000)
  return {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "Webhook-Signature": `t=${at},v1=${sign(`${at}.${body}`)}`,
      "X-Webhook-Signature": sign(body),
    },
    body,
  }
}
