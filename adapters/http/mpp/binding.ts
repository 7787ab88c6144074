import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import type { ChallengeParameters, MppChallenge } from "../client/MppChallenge.ts"

/**
 * Returns the id of a challenge: an HMAC-SHA256 over its parameters in the seven places that the
 * "Payment" scheme recommends. The key is the token of the payment, whose hash the service has. So
 * the id is valid on any number of servers, and after any change of keys.
 */
export const idOf = (challenge: ChallengeParameters, token: string): string => {
  const { digest = "", expires = "", intent, method, opaque = "", realm, request } = challenge
  const places = [realm, method, intent, request, expires, digest, opaque]
  return createHmac("sha256", token).update(places.join("|")).digest("base64url")
}

/** Whether the id was computed from the challenge's parameters with that token. */
export const isBound = (challenge: MppChallenge, token: string): boolean => {
  const [expected, sent] = [idOf(challenge, token), challenge.id].map((id) => Buffer.from(id))
  return (
    expected !== undefined &&
    sent !== undefined &&
    expected.length === sent.length &&
    timingSafeEqual(expected, sent)
  )
}

/** Returns the digest of a body (RFC 9530). */
export const digestOf = (body: string | Uint8Array): string =>
  `sha-256=:${createHash("sha256").update(body).digest("base64")}:`
