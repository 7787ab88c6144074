import { Effect } from "effect"
import type { RevocationOrder, RevocationOutcome, Revoker } from "../../core/ports/Revoker.ts"
import { Store } from "../../core/ports/Store.ts"
import { Vault } from "../../core/ports/Vault.ts"
import { WallClock } from "../../core/ports/WallClock.ts"
import { type WebhookOutcome, WebhookSender } from "../../core/ports/WebhookSender.ts"
import type { RevocationError } from "../../core/revocations/Revocation.ts"
import { timedSignature } from "../../core/webhooks/keys/Signature.ts"
import { accountSecrets } from "../../core/webhooks/deliveries/signingSecrets.ts"

const failed = (code: RevocationError["code"], message: string): RevocationOutcome => ({
  type: "failed",
  error: { code, message },
})

/** Returns the outcome of a seller's answer. An answer that is neither yes nor no is retried. */
const outcomeOf = ({ error, status }: WebhookOutcome): RevocationOutcome => {
  if (status === null) {
    return failed("revocation_unavailable", `The seller's system did not answer: ${error ?? "?"}.`)
  }
  if (status >= 200 && status < 300) return { type: "revoked" }
  const message = `The seller's system answered ${status}.`
  if (status === 404 || status === 410) return failed("revocation_target_not_found", message)
  return status === 401 || status === 403
    ? failed("permission_error", message)
    : failed("revocation_unavailable", message)
}

/** Returns the body, the same for every attempt, so that the seller recognizes a repetition. */
const bodyOf = ({ revocation }: RevocationOrder): string =>
  JSON.stringify({
    id: revocation.id,
    refund_id: revocation.refund,
    payment_intent: revocation.payment_intent,
    service_id: revocation.service_id,
    target_type: revocation.target_type,
    target_id: revocation.target_id,
    scope: revocation.scope,
  })

const unsigned = failed(
  "revocation_unavailable",
  "The request to the seller's system could not be signed.",
)

/**
 * Asks the seller's own system if the service's policy has a `revoke_url`: by a POST that is signed
 * like a webhook, with every valid secret, and with the revocation's id as its `Idempotency-Key` at
 * every attempt. The webhook sender sends it, so it reaches only public addresses, follows no
 * redirect and waits five seconds. Targets of other services go to `rest`.
 */
export const sellerSystem = Effect.fnUntraced(function* (rest: Revoker["Service"]) {
  const store = yield* Store
  const vault = yield* Vault
  const wallClock = yield* WallClock
  const sender = yield* WebhookSender

  const ask = Effect.fnUntraced(
    function* (order: RevocationOrder, url: string) {
      const { account_id, id } = order.revocation
      const account = yield* store.find("account", account_id)
      if (account === undefined) return unsigned
      const secrets = yield* accountSecrets(account).pipe(Effect.provideService(Vault, vault))
      const body = bodyOf(order)
      const headers = {
        "Content-Type": "application/json",
        "Webhook-Signature": timedSignature(vault.hmac, secrets, body, yield* wallClock.now),
        "Idempotency-Key": id,
      }
      return outcomeOf(yield* sender.send({ url, headers, body }))
    },
    Effect.catchTags({
      Unsealable: () => Effect.succeed(unsigned),
      StoreUnavailable: () => Effect.succeed(unsigned),
    }),
  )

  const revoker: Revoker["Service"] = {
    revoke: (order) =>
      order.revoke_url === null ? rest.revoke(order) : ask(order, order.revoke_url),
  }
  return revoker
})
