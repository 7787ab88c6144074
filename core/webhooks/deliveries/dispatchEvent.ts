import { Clock, Effect } from "effect"
import { type CommitPart, merge } from "../../commits/Commit.ts"
import { Ids } from "../../ports/Ids.ts"
import { Store, type StoreUnavailable } from "../../ports/Store.ts"
import type { Failure } from "../../shared/Failure.ts"
import { retryConflict } from "../../idempotency/requestKey.ts"
import type { Timestamp } from "../../shared/Timestamp.ts"
import { type Delivery, newDelivery, skip } from "./Delivery.ts"
import { CONSUMERS } from "../consumers/ConsumerList.ts"
import { feedEvent } from "../consumers/feedEvent.ts"
import type { Endpoint } from "../endpoints/Endpoint.ts"
import { type Event, goesToService } from "../events/Event.ts"
import { endpointsToTell, type Lookups, lookups } from "./lookups.ts"

/** Returns the first values that all deliveries of an event share. */
const about = (event: Event, id: string) => ({
  id: `wd_${id}`,
  account_id: event.account_id,
  event_id: event.id,
  event_type: event.type,
  replay_of: null,
  first_retry: 0,
})

/** Makes the delivery to the service's endpoint: once, however many accounts log the event. */
const deliveryToService = Effect.fnUntraced(function* (event: Event, at: Timestamp) {
  if (event.service_id === null || !goesToService(event.type)) return undefined
  const service = yield* (yield* Store).find("service", event.service_id)
  if (service?.account_id !== event.account_id || service.status === "deleted") return undefined
  const to = { endpoint_id: null, service_id: service.id, url: service.endpoint, key_id: null }
  return newDelivery({ ...about(event, (yield* Ids).uuid()), ...to }, at)
})

/** Makes the delivery to an endpoint, with its key. It is skipped if the endpoint is disabled. */
const deliveryTo = (
  endpoint: Endpoint,
  said: ReturnType<typeof about>,
  newestKey: string | null,
  at: Timestamp,
): Delivery => {
  const key_id = endpoint.encryption?.id ?? newestKey
  const to = { endpoint_id: endpoint.id, service_id: null, url: endpoint.url, key_id }
  const delivery = newDelivery({ ...said, ...to }, at)
  return endpoint.status === "enabled" ? delivery : skip(delivery, "webhook_endpoint_disabled")
}

/** Makes the deliveries to the account's endpoints that want events of that type. */
const deliveriesToEndpoints = Effect.fnUntraced(function* (
  event: Event,
  at: Timestamp,
  reads: Lookups,
) {
  const endpoints = yield* endpointsToTell(reads, event.account_id, event.type)
  if (endpoints.length === 0) return []
  const ids = yield* Ids
  const newest = endpoints.every(({ encryption }) => encryption !== null)
    ? undefined
    : yield* reads.newestKey(event.account_id)
  return endpoints.map((endpoint) =>
    deliveryTo(endpoint, about(event, ids.uuid()), newest?.id ?? null, at),
  )
})

/**
 * Stores in one commit that the event is dispatched, its deliveries, and its place in every feed.
 */
const dispatch = Effect.fnUntraced(function* (event: Event | undefined, reads: Lookups) {
  const store = yield* Store
  if (event === undefined || event.due_at === null) return
  const now = yield* Clock.currentTimeMillis
  const toService = yield* deliveryToService(event, now)
  const toEndpoints = yield* deliveriesToEndpoints(event, now, reads)
  const feeds = yield* feedEvent(event, now, reads.consumers(CONSUMERS))
  const deliveries = toService === undefined ? toEndpoints : [toService, ...toEndpoints]
  const own: CommitPart = {
    writes: [
      { op: "replace", kind: "event", record: { ...event, due_at: null } },
      ...deliveries.map((record) => ({ op: "insert", kind: "delivery", record }) as const),
    ],
  }
  yield* store.commit(merge(own, feeds))
})

/**
 * Makes the deliveries of an event: one to its service's own endpoint and one to each registered
 * endpoint of its account. The event's version in their commit makes sure that each is made once,
 * however often and by however many workers this is called. Consumers are told by their feeds. An
 * event without receivers is only marked as dispatched. `shared` are the reads of the first
 * attempt, common to events that were claimed together.
 */
export const dispatchEvent = Effect.fn("dispatchEvent")(function* (
  claimed: Event,
  shared?: Lookups,
): Effect.fn.Return<void, Failure<"TEMPORARILY_UNAVAILABLE"> | StoreUnavailable, Store | Ids> {
  const store = yield* Store
  let read: Effect.Effect<Event | undefined, StoreUnavailable> = Effect.succeed(claimed)
  let first = shared
  const attempt = Effect.suspend(() => {
    const event = read
    const reads = first ?? lookups(store)
    read = store.find("event", claimed.id)
    first = undefined
    return Effect.flatMap(event, (found) => dispatch(found, reads))
  })
  yield* retryConflict(attempt).pipe(Effect.catchTag("ReplyTaken", Effect.die))
})
