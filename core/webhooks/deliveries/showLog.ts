import { Effect } from "effect"
import type { Caller } from "../../accounts/Account.ts"
import { readOwn, readPage } from "../../shared/ownRecords.ts"
import { deliveryView } from "./Delivery.ts"
import { eventView } from "../events/Event.ts"
import type { ListDeliveriesQuery, ListEventsQuery } from "./LogQuery.ts"

/**
 * Returns a page of the log of the caller's account, newest first (Events). Fails with
 * `INVALID_QUERY` if `starting_after` is none of its events.
 */
export const listEvents = Effect.fn("listEvents")(function* (
  { account }: Caller,
  query: ListEventsQuery,
) {
  const { after, limit, starting_after = after, type } = query
  const by = { account_id: account.id, type }
  const page = yield* readPage("event", by, { limit, starting_after }, "event")
  return { ...page, data: page.data.map(eventView) }
})

/**
 * Returns one event of the caller's log. Fails with `NOT_FOUND`, also for another account's event.
 */
export const getEvent = Effect.fn("getEvent")(function* ({ account }: Caller, id: string) {
  return eventView(yield* readOwn("event", account.id, id, "event"))
})

/** Returns the caller's delivery. Fails with `NOT_FOUND`, also for another account's delivery. */
export const ownDelivery = ({ account }: Caller, id: string) =>
  readOwn("delivery", account.id, id, "webhook delivery")

/** Returns one delivery of the caller's account, with its attempts. */
export const getDelivery = Effect.fn("getDelivery")(function* (caller: Caller, id: string) {
  return deliveryView(yield* ownDelivery(caller, id))
})

/**
 * Returns a page of the deliveries of the caller's account, newest first. Fails with
 * `INVALID_QUERY` if `starting_after` is none of them.
 */
export const listDeliveries = Effect.fn("listDeliveries")(function* (
  { account }: Caller,
  query: ListDeliveriesQuery,
) {
  const { endpoint_id, event_id, status } = query
  const by = { account_id: account.id, endpoint_id, event_id, status }
  const page = yield* readPage("delivery", by, query, "webhook delivery")
  return { ...page, data: page.data.map(deliveryView) }
})
