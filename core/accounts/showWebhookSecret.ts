import { Effect } from "effect"
import { Vault } from "../ports/Vault.ts"
import { type Caller, webhookSecretPlace } from "./Account.ts"

/** The secret that signs the webhooks of the caller's account (Authentication 4). */
export const showWebhookSecret = Effect.fn("showWebhookSecret")(function* ({ account }: Caller) {
  const vault = yield* Vault
  const secret = yield* Effect.orDie(
    vault.open(webhookSecretPlace(account.id), account.webhook_secret),
  )
  return { secret }
})
