import { Effect, Schema } from "effect"
import { Store, type StoreUnavailable } from "../../ports/Store.ts"
import { type Unsealable, Vault } from "../../ports/Vault.ts"
import { WallClock } from "../../ports/WallClock.ts"
import type { WebhookRequest } from "../../ports/WebhookSender.ts"
import { type Delivery, type OpenDelivery, refuse, skip } from "./Delivery.ts"
import type { Endpoint } from "../endpoints/Endpoint.ts"
import { type BodyKey, encryptedBody, eventBody, textToEncrypt } from "../events/Envelope.ts"
import { type Event, familyOf } from "../events/Event.ts"
import type { Timestamp } from "../../shared/Timestamp.ts"
import type { Lookups } from "./lookups.ts"
import { endpointHeaders, serviceHeaders } from "../keys/Signature.ts"

/** The request to send and its encryption key's id, or the delivery's end instead. */
export type Prepared =
  | { readonly type: "ready"; readonly request: WebhookRequest; readonly key_id: string | null }
  | { readonly type: "ended"; readonly end: (delivery: OpenDelivery) => Delivery }

const ended = (end: (delivery: OpenDelivery) => Delivery): Prepared => ({ type: "ended", end })

/** The end of a delivery whose receiver or event is gone. */
const GONE = ended((delivery) => skip(delivery))

const DISABLED = ended((delivery) => skip(delivery, "webhook_endpoint_disabled"))

const KEY_GONE = ended((delivery) => refuse(delivery, "webhook_key_not_found"))

const toBase64 = Schema.encodeSync(Schema.StringFromBase64)

/**
 * Returns the headers of all requests. `traceparent` lets a receiver continue the event's trace.
 */
const commonHeaders = ({ traceparent }: Event): WebhookRequest["headers"] => ({
  "Content-Type": "application/json",
  ...(traceparent !== null && { traceparent }),
})

const attemptOf = (
  { attempts, event_id, first_retry }: OpenDelivery,
  body: string,
  at: Timestamp,
) => ({
  event_id,
  retry: first_retry + attempts.length,
  body,
  at,
})

/** Prepares a request to the service's current endpoint, signed with the account's secrets. */
const toService = Effect.fnUntraced(function* (
  delivery: OpenDelivery,
  service_id: string,
  event: Event,
  reads: Lookups,
): Effect.fn.Return<Prepared, StoreUnavailable | Unsealable, Store | Vault | WallClock> {
  const store = yield* Store
  const service = yield* store.find("service", service_id)
  const account = yield* store.find("account", delivery.account_id)
  if (account === undefined || service === undefined || service.status === "deleted") return GONE
  const vault = yield* Vault
  const secrets = yield* reads.accountSecrets(account)
  const body = eventBody(event)
  const headers = serviceHeaders(
    vault,
    secrets,
    attemptOf(delivery, body, yield* (yield* WallClock).now),
  )
  const request = { url: service.endpoint, headers: { ...commonHeaders(event), ...headers }, body }
  return { type: "ready", request, key_id: null }
})

/**
 * Returns the key for this delivery's bodies: the one chosen when the delivery was made, or the
 * endpoint's own if that one is gone. If none was chosen, it is the key that is in use now.
 */
const keyOf = (
  { account_id, key_id }: OpenDelivery,
  { encryption }: Endpoint,
  { newestKey }: Lookups,
): Effect.Effect<BodyKey | "gone" | undefined, StoreUnavailable, Store> => {
  if (key_id === null) {
    return encryption === null ? newestKey(account_id) : Effect.succeed(encryption)
  }
  if (encryption?.id === key_id) return Effect.succeed(encryption)
  return Effect.flatMap(Store, (store) =>
    Effect.map(store.find("webhook_key", key_id), (key) =>
      key?.account_id === account_id ? key : (encryption ?? "gone"),
    ),
  )
}

/**
 * Prepares a request to the endpoint's current address, signed, and encrypted if there is a key.
 */
const toEndpoint = Effect.fnUntraced(function* (
  delivery: OpenDelivery,
  endpoint: Endpoint,
  event: Event,
  reads: Lookups,
): Effect.fn.Return<Prepared, StoreUnavailable | Unsealable, Store | Vault | WallClock> {
  const key = yield* keyOf(delivery, endpoint, reads)
  if (key === "gone") return KEY_GONE
  const vault = yield* Vault
  const secrets = yield* reads.endpointSecrets(endpoint)
  const body =
    key === undefined
      ? eventBody(event)
      : encryptedBody(key, vault.box(key.public_key, textToEncrypt(event)))
  const headers = endpointHeaders(vault.hmac, secrets, {
    ...attemptOf(delivery, body, yield* (yield* WallClock).now),
    family: familyOf(event.type),
    enc: key === undefined ? undefined : toBase64(key.fingerprint),
  })
  const request = { url: endpoint.url, headers: { ...commonHeaders(event), ...headers }, body }
  return { type: "ready", request, key_id: key?.id ?? null }
})

/**
 * Prepares an attempt for sending: to its receiver's current address, signed with the secrets that
 * are in force. Fails with `Unsealable` if a secret cannot be read.
 */
export const prepareAttempt = Effect.fnUntraced(function* (
  delivery: OpenDelivery,
  endpoint: Endpoint | undefined,
  reads: Lookups,
): Effect.fn.Return<Prepared, StoreUnavailable | Unsealable, Store | Vault | WallClock> {
  const event = yield* reads.event(delivery.event_id)
  if (event === undefined) return GONE
  if (delivery.service_id !== null)
    return yield* toService(delivery, delivery.service_id, event, reads)
  if (endpoint === undefined) return GONE
  if (endpoint.status === "disabled") return DISABLED
  return yield* toEndpoint(delivery, endpoint, event, reads)
})
