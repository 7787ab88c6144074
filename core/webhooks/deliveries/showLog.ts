import { Effect } from "effect"
import type { Caller } from "../../accounts/Account.ts"
import { Store } from "../../ports/Store.ts"
import { notFound } from "../../shared/Failure.ts"
import { isId } from "../../shared/Id.ts"
import { badCursor } from "../../shared/Page.ts"
import { deliveryView } from "./Delivery.ts"
import { eventView } from "../events/Event.ts"
import type { ListDeliveriesQuery, ListEventsQuery } from "./LogQuery.ts"

/**
 * The log of the caller's account, newest first (Events). Fails with `INVALID_QUERY` where
 * `starting_after` names none of its events.
 */
export const listEvents = Effect.fn("listEvents")(function* (
  { account }: Caller,
  query: ListEventsQuery,
) {
  const store = yield* Store
  const after = query.starting_after ?? query.after
  if (after !== undefined) {
    const event = isId("evt", after) ? yield* store.find("event", after) : undefined
    if (event?.account_id !== account.id) return yield* badCursor("event")
  }
  const found = yield* store.listEvents({
    account_id: account.id,
    limit: query.limit + 1,
    ...(query.type === undefined ? {} : { type: query.type }),
    ...(after === undefined ? {} : { starting_after: after }),
  })
  return { data: found.slice(0, query.limit).map(eventView), has_more: found.length > query.limit }
})

/** The caller's delivery. Fails with `NOT_FOUND`, for another account's delivery too. */
export const ownDelivery = Effect.fnUntraced(function* ({ account }: Caller, id: string) {
  const store = yield* Store
  const delivery = isId("wd", id) ? yield* store.find("delivery", id) : undefined
  return delivery?.account_id === account.id ? delivery : yield* notFound("webhook delivery", id)
})

/** One delivery of the caller's account, with its attempts. */
export const getDelivery = Effect.fn("getDelivery")(function* (caller: Caller, id: string) {
  return deliveryView(yield* ownDelivery(caller, id))
})

/**
 * The deliveries of the caller's account, newest first. Fails with `INVALID_QUERY` where
 * `starting_after` names none of them.
 */
export const listDeliveries = Effect.fn("listDeliveries")(function* (
  { account }: Caller,
  query: ListDeliveriesQuery,
) {
  const store = yield* Store
  const { limit, ...asked } = query
  const after = query.starting_after
  if (after !== undefined) {
    const delivery = isId("wd", after) ? yield* store.find("delivery", after) : undefined
    if (delivery?.account_id !== account.id) return yield* badCursor("webhook delivery")
  }
  const found = yield* store.listDeliveries({
    ...asked,
    account_id: account.id,
    limit: limit + 1,
  })
  return { data: found.slice(0, limit).map(deliveryView), has_more: found.length > limit }
})
