import { Clock, Effect } from "effect"
import { byKey, logged } from "../../accountLog/logged.ts"
import { type Caller, signingSecretOf, webhookSecretPlace } from "../../accounts/Account.ts"
import { replyWith, retryConflict } from "../../idempotency/requestKey.ts"
import { Store, type Write } from "../../ports/Store.ts"
import { Vault } from "../../ports/Vault.ts"
import { Failure, notFound } from "../../shared/Failure.ts"
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

const LOST = "A replaced webhook secret cannot be opened, so it has no grace period."

/** A secret is not given up as long as it may open later. */
const unreadable = () =>
  new Failure({
    code: "TEMPORARILY_UNAVAILABLE",
    message: "The secret to replace cannot be read at present. Repeat the request in a second.",
    retry_after: 1,
  })

/**
 * Replaces the secret of the caller's account, or of one of its endpoints (Webhook management). The
 * answer shows the new secret. Both sign until the grace period ends. A secret that can no longer
 * be opened, because its key is lost, is replaced at once: nothing else would help its owner.
 *
 * Fails with `NOT_FOUND` for an endpoint that is not the account's, and with
 * `TEMPORARILY_UNAVAILABLE` while the keys that seal secrets cannot be read.
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
      const opened = (sealed: string) =>
        Effect.catchTag(vault.open(held.place, sealed), "Unsealable", ({ isTemporary }) =>
          isTemporary === true ? Effect.fail(unreadable()) : Effect.succeed(null),
        )
      const old = yield* opened(held.signing.secret)
      if (old === null) {
        yield* Effect.annotateLogs(Effect.logWarning(LOST), { place: held.place })
      }
      const previous_secrets = yield* Effect.filter(held.signing.previous_secrets, (previous) =>
        Effect.map(opened(previous.secret), (text) => text !== null),
      )
      const sealed = vault.seal(held.place, secret)
      const next = rotate(
        { secret: old === null ? null : held.signing.secret, previous_secrets },
        { secret: sealed, reason, grace_period_seconds, at },
      )
      const grace = old === null ? 0 : grace_period_seconds * SECOND
      const view: typeof RotatedSecretView.Type = {
        endpoint_id: endpointId,
        old_key_fingerprint: old === null ? null : fingerprintOf(vault.sha256(old)),
        new_key_fingerprint: fingerprintOf(vault.sha256(secret)),
        old_key_expires_at: toIso(at + grace),
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
