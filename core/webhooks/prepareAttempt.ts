import { Effect } from "effect"
import { Store } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { WallClock } from "../ports/WallClock.ts"
import type { WebhookRequest } from "../ports/WebhookSender.ts"
import { type Delivery, type OpenDelivery, skip } from "./Delivery.ts"
import { eventBody } from "./Envelope.ts"
import type { Event } from "./Event.ts"
import { serviceHeaders } from "./Signature.ts"
import { accountSecrets } from "./signingSecrets.ts"

/** What is to be sent, with the key that it is encrypted for, or how the delivery ends instead. */
export type Prepared =
  | { readonly type: "ready"; readonly request: WebhookRequest; readonly key_id: string | null }
  | { readonly type: "ended"; readonly end: (delivery: OpenDelivery) => Delivery }

const ended = (end: (delivery: OpenDelivery) => Delivery): Prepared => ({ type: "ended", end })

/** A receiver that is gone, or nothing to tell any more. */
const gone = ended((delivery) => skip(delivery))

const JSON_BODY = { "Content-Type": "application/json" }

/** To where the service's endpoint is now, signed with the account's secret. */
const toService = Effect.fnUntraced(function* (
  delivery: OpenDelivery,
  service_id: string,
  event: Event,
) {
  const store = yield* Store
  const service = yield* store.findService(service_id)
  const account = yield* store.findAccount(delivery.account_id)
  if (account === undefined || service === undefined || service.status === "deleted") return gone
  const vault = yield* Vault
  const secrets = yield* accountSecrets(account)
  const body = eventBody(event)
  const headers = serviceHeaders(vault.hmac, secrets, {
    event_id: event.id,
    retry: delivery.first_retry + delivery.attempts.length,
    body,
    at: yield* (yield* WallClock).now,
  })
  const request = { url: service.endpoint, headers: { ...JSON_BODY, ...headers }, body }
  return { type: "ready", request, key_id: null } satisfies Prepared
})

/**
 * Makes an attempt ready to be sent: to where its receiver is now, and signed with the secrets that
 * are in force now. Fails with `Unsealable` when a secret cannot be read.
 */
export const prepareAttempt = Effect.fnUntraced(function* (
  delivery: OpenDelivery,
  event: Event | undefined,
) {
  if (event === undefined || delivery.service_id === null) return gone
  return yield* toService(delivery, delivery.service_id, event)
})
