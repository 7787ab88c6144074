import { createHmac } from "node:crypto"
import { Stripe } from "stripe"
import { describe, expect, test } from "vitest"
import { open } from "../../../adapters/receiver/webhooks.ts"
import { eventBody } from "../../../core/webhooks/Envelope.ts"
import { EVENT_TYPES } from "../../../core/webhooks/Event.ts"
import { type Secrets, timedSignature } from "../../../core/webhooks/Signature.ts"
import { NOW, OLD_SECRET, SECRET } from "./deliveries.ts"

const hmac = (secret: string, message: string): string =>
  createHmac("sha256", secret).update(message).digest("hex")

/** What the service sends for an event, made by its own hands. */
const sent = (type: (typeof EVENT_TYPES)[number], secrets: Secrets) => {
  const data = { id: "pi_1", note: "dépôt" }
  const body = eventBody({ id: "evt_1", type, data, created_at: NOW })
  return { data, body, header: timedSignature(hmac, secrets, body, NOW) }
}

describe.each(EVENT_TYPES)("%s, as the service signs it,", (type) => {
  test.each([SECRET, OLD_SECRET])("opens with either secret of a rotation: %s", (secret) => {
    const { body, data, header } = sent(type, [SECRET, OLD_SECRET])
    const request = { headers: { "Webhook-Signature": header, "Webhook-Id": "evt_1" }, body }
    const event = open(request, { secrets: secret, now: () => NOW })
    expect(event).toEqual({ id: "evt_1", type, data, created: NOW / 1_000 })
    const { signature } = new Stripe("sk_test_unused").webhooks
    expect(signature?.verifyHeader(body, header, secret, 300, undefined, NOW)).toBe(true)
  })
})
