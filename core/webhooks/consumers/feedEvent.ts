import { Effect } from "effect"
import { Ids } from "../../ports/Ids.ts"
import { Store, type Write } from "../../ports/Store.ts"
import type { Timestamp } from "../../shared/Timestamp.ts"
import { type Event, isDeliveryEvent } from "../events/Event.ts"
import { CONSUMERS } from "./ConsumerList.ts"
import { aboutOf, newFeed, withEvent } from "./Feed.ts"

/**
 * Returns the writes that put an event into the feed of every consumer, for the commit that
 * dispatches the event. Events about deliveries go only to receivers of webhooks.
 */
export const feedEvent = Effect.fnUntraced(function* (event: Event, now: Timestamp) {
  const store = yield* Store
  const list = yield* store.find("consumer_list", CONSUMERS)
  if (list === undefined || isDeliveryEvent(event.type)) return []
  const ids = yield* Ids
  const about = aboutOf(event)
  return yield* Effect.forEach(list.names, (consumer) =>
    Effect.map(store.findBy("feed", { consumer, about }), (feed): Write =>
      feed === undefined
        ? {
            op: "insert",
            kind: "feed",
            record: newFeed(`feed_${ids.uuid()}`, consumer, event, now),
          }
        : { op: "replace", kind: "feed", record: withEvent(feed, event) },
    ),
  )
})
