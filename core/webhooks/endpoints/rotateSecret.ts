import { Clock, Effect } from "effect"
import { byKey, logged } from "../../accountLog/logged.ts"
import { type Caller, signingSecretOf, webhookSecretPlace } from "../../accounts/Account.ts"
import { replyWith, retryConflict } from "../../idempotency/requestKey.ts"
import { Store, type Write } from "../../ports/Store.ts"
import { Vault } from "../../ports/Vault.ts"
import { notFound } from "../../shared/Failure.ts"
import { SECOND, type Timestamp, toIso } from "../../shared/Timestamp.ts"
import { endpointSecretPlace } from "./Endpoint.ts"
import { ownEndpoint } from "./ownEndpoint.ts"
import { fingerprintOf } from "../keys/PublicKey.ts"
import type { RotationInput } from "../keys/RotationInput.ts"
import { rotate, type RotatedSecretView, type SigningSecret } from "../../accounts/SigningSecret.ts"

/** A secret that signs, the place that it is sealed for, and the write that replaces it. */
interface Held {
  readonly place: string
  readonly signing: SigningSecret
  readonly write: (next: SigningSecret, at: Timestamp) => Write
}

const heldByEndpoint = Effect.fnUntraced(function* (caller: Caller, id: string) {
  const endpoint = yield* ownEndpoint(caller, id)
  const held: Held = {
    place: endpointSecretPlace(id),
    signing: endpoint,
    write: (next, at) => ({
      op: "replace",
      kind: "endpoint",
      record: { ...endpoint, ...next, updated_at: at },
    }),
  }
  return held
})

const heldByAccount = Effect.fnUntraced(function* ({ account: { id } }: Caller) {
  const account = yield* (yield* Store).find("account", id)
  if (account === undefined) return yield* notFound("account", id)
  const held: Held = {
    place: webhookSecretPlace(id),
    signing: signingSecretOf(account),
    write: ({ previous_secrets, secret }) => ({
      op: "replace",
      kind: "account",
      record: { ...account, webhook_secret: secret, previous_webhook_secrets: previous_secrets },
    }),
  }
  return held
})

/**
 * Replaces the secret of the caller's account, or of one of its endpoints (Webhook management). The
 * answer shows the new secret. Both sign until the grace period ends.
 *
 * Fails with `NOT_FOUND` for an endpoint that is not the account's.
 */
export const rotateSecret = Effect.fn("rotateSecret")(function* (
  caller: Caller,
  input: RotationInput,
) {
  const store = yield* Store
  const vault = yield* Vault
  const { grace_period_seconds, reason } = input
  const endpointId = input.endpoint_id ?? null
  const secret = `whsec_${vault.token()}`

  return yield* retryConflict(
    Effect.gen(function* () {
      const held = yield* endpointId === null
        ? heldByAccount(caller)
        : heldByEndpoint(caller, endpointId)
      const at = yield* Clock.currentTimeMillis
      const old = yield* Effect.orDie(vault.open(held.place, held.signing.secret))
      const sealed = vault.seal(held.place, secret)
      const next = rotate(held.signing, { secret: sealed, reason, grace_period_seconds, at })
      const view: typeof RotatedSecretView.Type = {
        endpoint_id: endpointId,
        old_key_fingerprint: fingerprintOf(vault.sha256(old)),
        new_key_fingerprint: fingerprintOf(vault.sha256(secret)),
        old_key_expires_at: toIso(at + grace_period_seconds * SECOND),
        secret,
        created_at: toIso(at),
      }
      const target = endpointId ?? caller.account.id
      const details = { fingerprint: view.new_key_fingerprint }
      yield* store.commit({
        writes: [
          held.write(next, at),
          yield* logged(byKey(caller), "webhook_secret.rotated", target, details),
        ],
        ...(yield* replyWith(view)),
      })
      return view
    }),
  )
})
