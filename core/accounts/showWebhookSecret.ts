import { Effect } from "effect"
import { type Unsealable, Vault } from "../ports/Vault.ts"
import { byKey, logged } from "../accountLog/logged.ts"
import { Store } from "../ports/Store.ts"
import { Failure } from "../shared/Failure.ts"
import { type Caller, webhookSecretPlace } from "./Account.ts"

/** An outage of the keys that seal secrets passes. A lost key does not come back. */
const unreadable = ({ isTemporary }: Unsealable) =>
  isTemporary === true
    ? new Failure({
        code: "TEMPORARILY_UNAVAILABLE",
        message: "The webhook secret cannot be read at present. Repeat the request in a second.",
        retry_after: 1,
      })
    : new Failure({
        code: "NOT_FOUND",
        message:
          "The webhook secret can no longer be read, because the key that sealed it is lost. " +
          "Replace it at /v1/merchant/webhook-secrets/rotate.",
      })

/**
 * Shows the secret that signs the webhooks of the caller's account (Authentication 4).
 *
 * Fails with `TEMPORARILY_UNAVAILABLE` while it cannot be read, and with `NOT_FOUND` if it can
 * never be read again.
 */
export const showWebhookSecret = Effect.fn("showWebhookSecret")(function* (caller: Caller) {
  const { account } = caller
  const vault = yield* Vault
  const secret = yield* Effect.mapError(
    vault.open(webhookSecretPlace(account.id), account.webhook_secret),
    unreadable,
  )
  const entry = yield* logged(byKey(caller), "webhook_secret.shown", account.id)
  yield* (yield* Store).commit({ writes: [entry] }).pipe(Effect.catchTag("Conflict", Effect.die))
  return { secret }
})
