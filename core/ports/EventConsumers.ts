import { Context, type Effect } from "effect"
import type { Event } from "../webhooks/events/Event.ts"

/**
 * What a program of the host's does with an event. It fails in whatever way, and is then asked
 * again; it may be asked for the same event twice, whatever it answered.
 */
export type EventConsumer = (event: Event) => Effect.Effect<void, unknown>

/** Those that this process has, by their names; none by default. */
export const EventConsumers = Context.Reference<ReadonlyMap<string, EventConsumer>>(
  "payport/core/ports/EventConsumers",
  { defaultValue: () => new Map() },
)
