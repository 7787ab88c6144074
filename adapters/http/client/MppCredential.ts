import { decodeFields, encodeFields, type Fields, isFields } from "./Fields.ts"
import { decodeChallenge, type MppChallenge } from "./MppChallenge.ts"

/** A challenge with the proof of its payment, for `Authorization: Payment`. */
export interface MppCredential {
  readonly challenge: MppChallenge
  /** The method's proof of a payment. */
  readonly payload: Fields
}

/** Returns the credential as a value of `Authorization`. */
export const formatCredential = (credential: MppCredential): string =>
  `Payment ${encodeFields(credential)}`

const decodeCredential = (said: Fields): MppCredential | undefined => {
  const { challenge, payload, source } = said
  if (!isFields(challenge) || !isFields(payload)) return undefined
  if (source !== undefined && typeof source !== "string") return undefined
  const echoed = decodeChallenge(challenge)
  return echoed && { challenge: echoed, payload }
}

/**
 * Returns the credential in a value of `Authorization`: undefined if it has only other schemes,
 * "malformed" if it cannot be read, and "several" if there is more than one.
 */
export const parseCredential = (
  header: string,
): MppCredential | "malformed" | "several" | undefined => {
  const credentials = header.split(",").flatMap((part) => {
    const [scheme = "", ...rest] = part.trim().split(/\s+/)
    return scheme.toLowerCase() === "payment" ? [rest] : []
  })
  const [sent, another] = credentials
  if (sent === undefined) return undefined
  if (another !== undefined) return "several"
  const [text, more] = sent
  const said = text === undefined || more !== undefined ? undefined : decodeFields(text)
  return (said && decodeCredential(said)) ?? "malformed"
}
