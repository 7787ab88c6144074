import { decodeFields, encodeFields, type Fields, isFields } from "./Fields.ts"
import { decodeChallenge, type MppChallenge } from "./MppChallenge.ts"

/** A challenge with the proof that it was met, as `Authorization: Payment` carries it. */
export interface MppCredential {
  readonly challenge: MppChallenge
  /** What the method proves a payment by. */
  readonly payload: Fields
}

/** A credential as the value of `Authorization`. */
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
 * The credential in the value of `Authorization`: undefined where it is of other schemes alone,
 * "malformed" where it cannot be read, and "several" where there is more than one.
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
