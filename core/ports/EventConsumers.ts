import { Context, type Effect } from "effect"
import type { Event } from "../webhooks/events/Event.ts"

/**
 * A function of the host that handles an event. After a failure of any kind it is called again. It
 * may be called twice for the same event, whatever it answered.
 */
export type EventConsumer = (event: Event) => Effect.Effect<void, unknown>

/** The consumers of this process, by name; none by default. */
export const EventConsumers = Context.Reference<ReadonlyMap<string, EventConsumer>>(
  "payport/core/ports/EventConsumers",
  { defaultValue: () => new Map() },
)
