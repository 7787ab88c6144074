import { Clock, Effect } from "effect"
import { Ids } from "../ports/Ids.ts"
import { Store, type StoreUnavailable } from "../ports/Store.ts"
import type { Failure } from "../shared/Failure.ts"
import { retryConflict } from "../shared/retryConflict.ts"
import { newDelivery } from "./Delivery.ts"
import { type Event, goesToService } from "./Event.ts"

/** The service whose own endpoint is told: once, whichever accounts' logs hold the event. */
const serviceToTell = Effect.fnUntraced(function* (event: Event) {
  if (event.service_id === null || !goesToService(event.type)) return undefined
  const service = yield* (yield* Store).findService(event.service_id)
  const told = service?.account_id === event.account_id && service.status !== "deleted"
  return told ? service : undefined
})

/** One commit: the event is dealt with and its delivery, if it has a receiver, exists. */
const dispatch = Effect.fnUntraced(function* (event: Event | undefined) {
  const store = yield* Store
  const ids = yield* Ids
  if (event === undefined || event.due_at === null) return
  const service = yield* serviceToTell(event)
  const now = yield* Clock.currentTimeMillis
  const handled = { op: "replace", kind: "event", record: { ...event, due_at: null } } as const
  if (service === undefined) {
    return yield* store.commit({ writes: [handled] })
  }
  const delivery = newDelivery(
    {
      id: `wd_${ids.uuid()}`,
      account_id: event.account_id,
      event_id: event.id,
      event_type: event.type,
      endpoint_id: null,
      service_id: service.id,
      url: service.endpoint,
      key_id: null,
      replay_of: null,
      first_retry: 0,
    },
    now,
  )
  yield* store.commit({ writes: [handled, { op: "insert", kind: "delivery", record: delivery }] })
})

/**
 * Makes the delivery of an event to its service's endpoint: once, however often and by however many
 * workers it is called. An event whose service is gone has nobody to be told and is only marked.
 */
export const dispatchEvent = Effect.fn("dispatchEvent")(function* (
  claimed: Event,
): Effect.fn.Return<void, Failure | StoreUnavailable, Store | Ids> {
  const store = yield* Store
  let read: Effect.Effect<Event | undefined, StoreUnavailable> = Effect.succeed(claimed)
  const attempt = Effect.suspend(() => {
    const event = read
    read = store.findEvent(claimed.id)
    return Effect.flatMap(event, dispatch)
  })
  yield* retryConflict(attempt).pipe(Effect.catchTag("ReplyTaken", Effect.die))
})
