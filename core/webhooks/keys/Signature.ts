import { SECOND, type Timestamp } from "../../shared/Timestamp.ts"
import type { EventFamily } from "../events/Event.ts"

/** Lower-case hex HMAC-SHA256 under a secret, taken as the whole text it is shown as. */
export type Hmac = (secret: string, message: string) => string

/** What the headers are made with. */
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

/** `t=<unix seconds>,v1=<hex>` with one `v1` for every secret (Authentication 3). */
export const timedSignature = (
  hmac: Hmac,
  secrets: Secrets,
  body: string,
  at: Timestamp,
): string => {
  const t = unixSeconds(at)
  return [`t=${t}`, ...secrets.map((secret) => `v1=${hmac(secret, `${t}.${body}`)}`)].join(",")
}

/** The key of one attempt (Authentication 6); receivers dedupe on the event's id instead. */
export const attemptKey = (eventId: string, retry: number): string => `wh_${eventId}-retry-${retry}`

/**
 * The header with the signature of one secret alone, named after the digits of its fingerprint:
 * the first 16 of the secret's SHA-256.
 */
const ownHeader = (sha256: string): `X-Webhook-Signature-${string}` =>
  `X-Webhook-Signature-${sha256.slice(0, 16)}`

/**
 * The headers of a delivery to a service's own endpoint (Authentication 4 and 6).
 * `X-Webhook-Signature` signs the body alone, so `Webhook-Signature` signs the time as well, with
 * the same secrets. While several sign, it holds several values, which no receiver matches that
 * compares one: each secret has a header of its own besides, whose name such a receiver knows by
 * its secret and which is there until that secret ends.
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

/** What an attempt at a registered endpoint says besides what every attempt says. */
export interface EndpointAttempt extends SignedAttempt {
  readonly family: EventFamily
  /** The fingerprint in base64 of the key that the body is encrypted for. */
  readonly enc: string | undefined
}

/**
 * The headers of a delivery to a registered endpoint (Authentication 3 and 6). The signature of an
 * identity's event is there under the name `Service-Signature` too.
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
