import { createHash, createHmac } from "node:crypto"
import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import { channelsOf, LIMITS, limitsView } from "../../../core/kyc/limits/Limits.ts"
import type { KycVerified } from "../../../core/kyc/verifications/KycEvent.ts"
import type { PaymentSucceeded } from "../../../core/payments/PaymentEvent.ts"
import type { RevocationSucceeded } from "../../../core/revocations/RevocationEvent.ts"
import { box } from "../../../adapters/crypto/box.ts"
import { encryptedBody, eventBody, textToEncrypt } from "../../../core/webhooks/events/Envelope.ts"
import { type Event, type EventType, familyOf } from "../../../core/webhooks/events/Event.ts"
import { fingerprintOf } from "../../../core/webhooks/keys/PublicKey.ts"
import {
  endpointHeaders,
  type Secrets,
  serviceHeaders,
} from "../../../core/webhooks/keys/Signature.ts"
import type { Chance } from "../Chance.ts"

/** Returns the HMAC-SHA256 in lower-case hex. */
export const hmac = (secret: string, message: string): string =>
  createHmac("sha256", secret).update(message).digest("hex")

const sha256 = (bytes: string | Uint8Array): string =>
  createHash("sha256").update(bytes).digest("hex")

/** The kind of a delivery's headers: of an endpoint, or of a service. */
export type Family = "endpoint" | "service"

/** An event as it is sent; its type may be one of a later version. */
export type SentEvent = Omit<Event, "type"> & { readonly type: string }

/** A delivery that can be changed before it is sent. */
export interface Delivery {
  readonly headers: { readonly [name: string]: string | Array<string> }
  readonly body: string
}

/** The differences of a delivery from the default: signed now, with the secret, first attempt. */
export interface Unusual {
  readonly secrets?: Secrets
  /** Milliseconds since 1970. */
  readonly at?: number
  /** The number of earlier attempts. */
  readonly retry?: number
  /** The public key for the encryption, in base64. */
  readonly key?: string
  /** The body that is signed and sent instead of the event's. */
  readonly body?: string
}

const DAY = 86_400_000

/** The data of an event about a succeeded payment. */
const paid = (
  chance: Chance,
  at: number,
  metadata: { readonly [name: string]: string } = {},
): typeof PaymentSucceeded.Type => ({
  id: `pi_${chance.uuid()}`,
  service_id: `svc_${chance.uuid()}`,
  amount: { currency: "USD", value: 699 },
  settlement: { currency: "USD", value: 699, rate: 1 },
  channel: "wallet_a",
  channel_txn_id: chance.hex(24),
  succeeded_at: new Date(at).toISOString(),
  metadata,
})

const revoked = (chance: Chance, at: number): typeof RevocationSucceeded.Type => ({
  refund_id: `ref_${chance.uuid()}`,
  target_type: "access_token",
  target_id: chance.hex(12),
  status: "revoked",
  revoked_at: new Date(at).toISOString(),
})

const verified = (chance: Chance): typeof KycVerified.Type => ({
  verification_id: `kyc_${chance.uuid()}`,
  agent_id: `agent_${chance.hex(8)}`,
  level: "enhanced",
  previous_level: "basic",
  limits: limitsView(LIMITS, "enhanced"),
  channels: channelsOf(defaultCatalog, "enhanced"),
})

/** Makes events and deliveries as the service makes them. */
export const makeSender = (secret: string, as: Family, chance: Chance, now = Date.now) => {
  const event = (type: string, data: object, age = 0): SentEvent => ({
    id: `evt_${chance.uuid()}`,
    version: 1,
    account_id: "",
    service_id: null,
    subject_id: "",
    type,
    data: { ...data },
    traceparent: null,
    created_at: now() - age,
    due_at: null,
  })
  const bodyOf = (given: SentEvent, key: string | undefined) => {
    // An event type of a later version has the usual envelope.
    const told = { ...given, type: given.type as EventType }
    if (key === undefined) return { body: eventBody(told), enc: undefined }
    const fingerprint = fingerprintOf(sha256(Buffer.from(key, "base64")))
    const known = { id: `whk_${fingerprint.slice(3)}`, public_key: key, fingerprint }
    return {
      body: encryptedBody(known, box(key, textToEncrypt(told))),
      enc: Buffer.from(fingerprint).toString("base64"),
    }
  }
  const deliver = (given: SentEvent, unusual: Unusual = {}): Delivery => {
    const { at = now(), key, retry = 0, secrets = [secret] } = unusual
    const made = bodyOf(given, key)
    const body = unusual.body ?? made.body
    const attempt = { event_id: given.id, retry, body, at }
    const headers =
      as === "service"
        ? serviceHeaders({ hmac, sha256 }, secrets, attempt)
        : endpointHeaders(hmac, secrets, {
            ...attempt,
            family: familyOf(given.type as EventType),
            enc: made.enc,
          })
    const common = { "Content-Type": "application/json", "User-Agent": "payport" }
    return { headers: { ...common, ...headers }, body }
  }
  return {
    deliver,
    /** Makes the event of a payment that succeeded so many milliseconds ago. */
    payment: (age = 0, metadata = {}) =>
      event("payment_intent.succeeded", paid(chance, now() - age, metadata), age),
    /** Makes the event of a revoked access, in the envelope of its kind. */
    revocation: () => event("revocation.succeeded", revoked(chance, now())),
    /** Makes the event of a verified identity, in the envelope of its kind. */
    identity: () => event("kyc.verified", verified(chance)),
    /** Makes an event with a type that no version has yet. */
    unheardOf: () => event("payment_intent.told_by_a_later_version", paid(chance, now())),
    /** Makes a secret that nobody has. */
    stranger: () => `whsec_${chance.hex(43)}`,
    /** The age of the service's oldest delivery: its last two attempts are three days apart. */
    longAgo: 3 * DAY,
    now,
  }
}

/** Makes events and deliveries. */
export type Sender = ReturnType<typeof makeSender>
