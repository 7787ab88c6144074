import { MOST_IN_GRACE } from "../../../core/accounts/SigningSecret.ts"
import { SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"
import type { Received } from "./Receiver.ts"

/** A secret that signs, from when by this machine's clock, and until when by the service's. */
export interface Secret {
  readonly secret: string
  readonly from: number
  until: Timestamp
}

/** A webhook that was signed before a secret was made arrives within this time of it. */
const ON_ITS_WAY = 10 * SECOND

/** How far the service's clock may be ahead of what is known of it. */
const AHEAD = 30 * SECOND

/**
 * Returns the secrets of a receiver, oldest first, that were in force, without any doubt, when a
 * webhook was signed. Once there are more than may be in their grace period, each rotation may have
 * ended any of the earlier ones, so that only the newest two are certain.
 */
export const certainSecrets = (
  secrets: ReadonlyArray<Secret>,
  { at, service_latest }: Pick<Received, "at" | "service_latest">,
): ReadonlyArray<Secret> => {
  const hasEnded = secrets.length - 1 > MOST_IN_GRACE
  return secrets.filter(
    ({ from, until }, n) =>
      at > from + ON_ITS_WAY &&
      until > service_latest + AHEAD &&
      (!hasEnded || n >= secrets.length - 2),
  )
}
