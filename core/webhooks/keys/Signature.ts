import { SECOND, type Timestamp } from "../../shared/Timestamp.ts"
import type { EventFamily } from "../events/Event.ts"

/** Returns the lower-case hex HMAC-SHA256 under a secret, used as the whole text that is shown. */
export type Hmac = (secret: string, message: string) => string

/** The hash functions for the headers. */
export interface Signing {
  readonly hmac: Hmac
  /** Hex SHA-256. */
  readonly sha256: (text: string) => string
}

/** The secrets that sign: the current one first, then those in their grace period. */
export type Secrets = readonly [string, ...ReadonlyArray<string>]

/** One attempt to be signed. */
export interface SignedAttempt {
  readonly event_id: string
  /** Attempts made before: 0 for the first. */
  readonly retry: number
  /** The raw body, exactly as it is sent. */
  readonly body: string
  /** Wall-clock time. */
  readonly at: Timestamp
}

const unixSeconds = (at: Timestamp): string => String(Math.floor(at / SECOND))

/** Returns `t=<unix seconds>,v1=<hex>` with one `v1` for each secret (Authentication 3). */
export const timedSignature = (
  hmac: Hmac,
  secrets: Secrets,
  body: string,
  at: Timestamp,
): string => {
  const t = unixSeconds(at)
  return [`t=${t}`, ...secrets.map((secret) => `v1=${hmac(secret, `${t}.${body}`)}`)].join(",")
}

/** Returns the key of one attempt (Authentication 6). Receivers deduplicate by the event's id. */
export const attemptKey = (eventId: string, retry: number): string => `wh_${eventId}-retry-${retry}`

/**
 * Returns the name of the header with one secret's signature. It ends in the digits of the secret's
 * fingerprint, the first 16 of its SHA-256.
 */
const ownHeader = (sha256: string): `X-Webhook-Signature-${string}` =>
  `X-Webhook-Signature-${sha256.slice(0, 16)}`

/**
 * Returns the headers of a delivery to a service's own endpoint (Authentication 4 and 6).
 * `X-Webhook-Signature` signs the body alone. `Webhook-Signature` signs the time as well, with the
 * same secrets. While several secrets sign, the first holds several values, which fails at a
 * receiver that compares one value. Therefore each secret also has its own header, whose name such
 * a receiver derives from its secret. That header is sent until the secret ends.
 */
export const serviceHeaders = (
  { hmac, sha256 }: Signing,
  secrets: Secrets,
  attempt: SignedAttempt,
) => ({
  "X-Webhook-Signature": secrets.map((secret) => hmac(secret, attempt.body)).join(","),
  ...Object.fromEntries(
    secrets.map((secret) => [ownHeader(sha256(secret)), hmac(secret, attempt.body)]),
  ),
  "X-Webhook-Id": attempt.event_id,
  "X-Webhook-Timestamp": unixSeconds(attempt.at),
  "Webhook-Signature": timedSignature(hmac, secrets, attempt.body, attempt.at),
  "Idempotency-Key": attemptKey(attempt.event_id, attempt.retry),
})

/** An attempt at a registered endpoint. */
export interface EndpointAttempt extends SignedAttempt {
  readonly family: EventFamily
  /** The base64 fingerprint of the key that the body is encrypted for. */
  readonly enc: string | undefined
}

/**
 * Returns the headers of a delivery to a registered endpoint (Authentication 3 and 6). The
 * signature of an identity's event is also sent as `Service-Signature`.
 */
export const endpointHeaders = (hmac: Hmac, secrets: Secrets, attempt: EndpointAttempt) => {
  const signed = timedSignature(hmac, secrets, attempt.body, attempt.at)
  const signature = attempt.enc === undefined ? signed : `${signed},enc=${attempt.enc}`
  return {
    "Webhook-Signature": signature,
    ...(attempt.family === "kyc" && { "Service-Signature": signature }),
    "Webhook-Id": attempt.event_id,
    "X-Webhook-Timestamp": unixSeconds(attempt.at),
    "Idempotency-Key": attemptKey(attempt.event_id, attempt.retry),
  }
}
