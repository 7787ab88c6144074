import { Clock, Effect } from "effect"
import { type Account, signingSecretOf, webhookSecretPlace } from "../../accounts/Account.ts"
import { type Unsealable, Vault } from "../../ports/Vault.ts"
import { type Endpoint, endpointSecretPlace } from "../endpoints/Endpoint.ts"
import type { Secrets } from "../keys/Signature.ts"
import { inForce, type SigningSecret } from "../../accounts/SigningSecret.ts"

const open = Effect.fnUntraced(function* (
  place: string,
  held: SigningSecret,
): Effect.fn.Return<Secrets, Unsealable, Vault> {
  const vault = yield* Vault
  const [current, ...previous] = inForce(held, yield* Clock.currentTimeMillis)
  return [
    yield* vault.open(place, current),
    ...(yield* Effect.forEach(previous, (sealed) => vault.open(place, sealed))),
  ]
})

/** Returns the secrets that sign an endpoint's webhooks now, the current one first. */
export const endpointSecrets = (endpoint: Endpoint) =>
  open(endpointSecretPlace(endpoint.id), endpoint)

/**
 * Returns the secrets that sign the webhooks of an account's services now, the current one first.
 */
export const accountSecrets = (account: Account) =>
  open(webhookSecretPlace(account.id), signingSecretOf(account))
