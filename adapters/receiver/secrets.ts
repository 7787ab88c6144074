import { createHmac, timingSafeEqual } from "node:crypto"

/** A webhook secret with `whsec_`, and the end of its validity. Without a date it has no end. */
export type WebhookSecret = string | { readonly secret: string; readonly validUntil?: Date }

/** The valid secrets: several during a rotation. */
export type WebhookSecrets = WebhookSecret | ReadonlyArray<WebhookSecret>

/** A decoded secret. `until` is in milliseconds since 1970. */
export interface Secret {
  readonly secret: string
  readonly until: number
}

const isList = (secrets: WebhookSecrets): secrets is ReadonlyArray<WebhookSecret> =>
  Array.isArray(secrets)

/** Decodes the secrets. Throws a TypeError for none and for an empty one. */
export const readSecrets = (secrets: WebhookSecrets): ReadonlyArray<Secret> => {
  const list = isList(secrets) ? secrets : [secrets]
  if (list.length === 0) throw new TypeError("Give at least one webhook secret (whsec_…).")
  return list.map((given) => {
    const bare = typeof given === "string"
    const secret = bare ? given : given.secret
    if (typeof secret !== "string" || secret === "") {
      throw new TypeError("A webhook secret is a text that is not empty (whsec_…).")
    }
    const until = bare ? Infinity : (given.validUntil?.getTime() ?? Infinity)
    if (Number.isNaN(until)) throw new TypeError("validUntil has to be a valid Date.")
    return { secret, until }
  })
}

/** Returns the secrets with a signature among `signatures`. Compares in constant time. */
export const signers = (
  secrets: ReadonlyArray<Secret>,
  message: ReadonlyArray<string | Uint8Array>,
  signatures: ReadonlyArray<Uint8Array>,
): ReadonlyArray<Secret> =>
  secrets.filter(({ secret }) => {
    const hmac = createHmac("sha256", secret)
    for (const part of message) hmac.update(part)
    const digest = hmac.digest()
    return signatures.filter((signature) => timingSafeEqual(signature, digest)).length > 0
  })
