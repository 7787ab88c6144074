import type { Effect } from "effect"

/** A state of a record for its followers, and whether it is the last one. */
export interface Snapshot<Event> {
  readonly event: Event
  readonly last: boolean
}

/**
 * A record that can be followed. `read` reads its state again. `watch` calls the listener after
 * changes by this process, and returns the function that stops it.
 */
export interface EventFeed<Event, E, R> {
  readonly first: Snapshot<Event>
  readonly read: Effect.Effect<Snapshot<Event>, E, R>
  readonly watch: (listener: () => void) => () => void
}
