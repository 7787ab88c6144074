import { Effect } from "effect"
import { type CommitPart, empty } from "../../commits/Commit.ts"
import { Ids } from "../../ports/Ids.ts"
import { type Read, Store, type Write } from "../../ports/Store.ts"
import type { Timestamp } from "../../shared/Timestamp.ts"
import { type Event, isDeliveryEvent } from "../events/Event.ts"
import { type ConsumerList, guardOf } from "./ConsumerList.ts"
import { aboutOf, newFeed, withEvent } from "./Feed.ts"

/**
 * Returns the commit part that puts an event into the feed of every consumer, for the commit that
 * dispatches the event. The list of consumers may have been read a moment too late, so the commit
 * is guarded by its version. An absent list was read after the event happened, so no consumer had a
 * name then. Events about deliveries go only to receivers of webhooks.
 */
export const feedEvent = Effect.fnUntraced(function* (
  event: Event,
  now: Timestamp,
  reading: Read<ConsumerList | undefined>,
) {
  const store = yield* Store
  const list = yield* reading
  if (list === undefined || isDeliveryEvent(event.type)) return empty
  const ids = yield* Ids
  const about = aboutOf(event)
  const writes = yield* Effect.forEach(list.names, (consumer) =>
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
  const part: CommitPart = { writes, guards: [guardOf(list)] }
  return part
})
