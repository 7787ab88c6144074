import { Effect } from "effect"
import { Vault } from "../ports/Vault.ts"
import { byKey, logged } from "../accountLog/logged.ts"
import { Store } from "../ports/Store.ts"
import { type Caller, webhookSecretPlace } from "./Account.ts"

/** Shows the secret that signs the webhooks of the caller's account (Authentication 4). */
export const showWebhookSecret = Effect.fn("showWebhookSecret")(function* (caller: Caller) {
  const { account } = caller
  const vault = yield* Vault
  const secret = yield* Effect.orDie(
    vault.open(webhookSecretPlace(account.id), account.webhook_secret),
  )
  const entry = yield* logged(byKey(caller), "webhook_secret.shown", account.id)
  yield* (yield* Store).commit({ writes: [entry] }).pipe(Effect.catchTag("Conflict", Effect.die))
  return { secret }
})
