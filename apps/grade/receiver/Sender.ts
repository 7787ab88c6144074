import { createHash, createHmac } from "node:crypto"
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

/** HMAC-SHA256 in lower-case hex. */
export const hmac = (secret: string, message: string): string =>
  createHmac("sha256", secret).update(message).digest("hex")

const sha256 = (bytes: string | Uint8Array): string =>
  createHash("sha256").update(bytes).digest("hex")

/** Which of the two families of headers deliveries have: of an endpoint, or of a service. */
export type Family = "endpoint" | "service"

/** An event as it is sent; a type of a later version is one that this one does not know. */
export type SentEvent = Omit<Event, "type"> & { readonly type: string }

/** A delivery that can be changed on its way. */
export interface Delivery {
  readonly headers: { readonly [name: string]: string | Array<string> }
  readonly body: string
}

/** What is different about a delivery from the usual: signed now, with the secret, first try. */
export interface Unusual {
  readonly secrets?: Secrets
  /** Milliseconds since 1970. */
  readonly at?: number
  /** Tries made before. */
  readonly retry?: number
  /** The public key that it is encrypted for, in base64. */
  readonly key?: string
  /** Sent in place of the event's own body, and signed. */
  readonly body?: string
}

const DAY = 86_400_000

/** What a payment that has succeeded tells. */
const paid = (chance: Chance, at: number, metadata: { readonly [name: string]: string } = {}) => ({
  id: `pi_${chance.uuid()}`,
  service_id: `svc_${chance.uuid()}`,
  amount: { currency: "USD", value: 699 },
  settlement: { currency: "USD", value: 699, rate: 1 },
  channel: "wallet_a",
  channel_txn_id: chance.hex(24),
  succeeded_at: new Date(at).toISOString(),
  metadata,
})

/** Makes events and deliveries, as the service makes them. */
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
    // A type of a later version has the usual envelope.
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
    /** A payment that has succeeded, so many milliseconds ago. */
    payment: (age = 0, metadata = {}) =>
      event("payment_intent.succeeded", paid(chance, now() - age, metadata), age),
    /** Access that was revoked, in the envelope of its family. */
    revocation: () =>
      event("revocation.succeeded", {
        refund_id: `re_${chance.uuid()}`,
        target_type: "api_key",
        target_id: chance.hex(12),
        status: "revoked",
        revoked_at: new Date(now()).toISOString(),
      }),
    /** An identity that was verified, in the envelope of its family. */
    identity: () =>
      event("kyc.verified", {
        verification_id: `kyc_${chance.uuid()}`,
        agent_id: `agent_${chance.hex(8)}`,
        level: "L2",
        previous_level: "L1",
        limits: { daily: 1_000, per_transaction: 100 },
        channels: ["wallet_a"],
      }),
    /** A type that no version has yet. */
    unheardOf: () => event("payment_intent.told_by_a_later_version", paid(chance, now())),
    /** A secret that nobody has. */
    stranger: () => `whsec_${chance.hex(43)}`,
    /** How far back the service itself delivers: its last two tries are three days apart. */
    longAgo: 3 * DAY,
    now,
  }
}

/** Makes events and deliveries. */
export type Sender = ReturnType<typeof makeSender>
