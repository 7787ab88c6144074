import { createHash, createHmac } from "node:crypto"
import { Stripe } from "stripe"
import { describe, expect, test } from "vitest"
import { open } from "../../../adapters/receiver/webhooks.ts"
import { eventBody } from "../../../core/webhooks/events/Envelope.ts"
import { EVENT_TYPES, type EventType, familyOf } from "../../../core/webhooks/events/Event.ts"
import {
  endpointHeaders,
  type Secrets,
  serviceHeaders,
} from "../../../core/webhooks/keys/Signature.ts"
import { aKeyPair, anEvent, encryptedBody, NOW, OLD_SECRET, SECRET } from "./deliveries.ts"

const hmac = (secret: string, message: string): string =>
  createHmac("sha256", secret).update(message).digest("hex")

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

/** The service's own delivery of an event, in either scheme. */
const sent = (type: EventType, secrets: Secrets) => {
  const data = { id: "pi_1", note: "dépôt" }
  const body = eventBody({ id: "evt_1", type, data, created_at: NOW })
  const attempt = { event_id: "evt_1", retry: 0, body, at: NOW }
  const family = familyOf(type)
  return {
    data,
    body,
    endpoint: endpointHeaders(hmac, secrets, { ...attempt, family, enc: undefined }),
    service: serviceHeaders({ hmac, sha256 }, secrets, attempt),
  }
}

describe.each(EVENT_TYPES)("%s, as the service signs it,", (type) => {
  test.each([SECRET, OLD_SECRET])("opens with either secret of a rotation: %s", (secret) => {
    const { body, data, endpoint, service } = sent(type, [SECRET, OLD_SECRET])
    const { signature } = new Stripe("sk_test_unused").webhooks
    for (const headers of [endpoint, service]) {
      const event = open({ headers: { ...headers }, body }, { secrets: secret, now: () => NOW })
      expect(event).toEqual({ id: "evt_1", type, data, created: NOW / 1_000 })
      const header = headers["Webhook-Signature"]
      expect(signature?.verifyHeader(body, header, secret, 300, undefined, NOW)).toBe(true)
    }
  })
})

test("an encrypted body that the service signs opens as well", () => {
  const key = aKeyPair()
  const event = anEvent()
  const body = JSON.stringify(encryptedBody(event, key))
  const enc = Buffer.from(key.fingerprint).toString("base64")
  const attempt = { event_id: event.id, retry: 3, body, at: NOW, family: "kyc", enc } as const
  const headers = { ...endpointHeaders(hmac, [SECRET], attempt) }
  const options = { secrets: SECRET, keys: [key.secretKey], now: () => NOW }
  expect(open({ headers, body }, options)).toEqual(event)
})
