import { createHmac, randomUUID } from "node:crypto"

/** The event of a test: its type, with the data that the test needs. */
export interface TestEvent {
  readonly type: string
  readonly data: object
  /** A new id by default. */
  readonly id?: string
  /** Unix seconds; by default now. */
  readonly created?: number
}

/** A delivery in the service's form, for a test of a receiver. */
export interface TestDelivery {
  readonly method: "POST"
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/**
 * Returns a delivery of an event, signed now with the receiver's secret. A receiver with that
 * secret accepts `fetch(url, delivery)`.
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
