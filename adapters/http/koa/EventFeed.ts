import type { Effect } from "effect"

/** What a follower of a record is to see: the record now, and whether it can still change. */
export interface Snapshot<Event> {
  readonly event: Event
  readonly last: boolean
}

/**
 * A record that can be followed. `read` looks at it again; `watch` calls back after changes that
 * this process made, and returns the way to stop.
 */
export interface EventFeed<Event, E, R> {
  readonly first: Snapshot<Event>
  readonly read: Effect.Effect<Snapshot<Event>, E, R>
  readonly watch: (listener: () => void) => () => void
}
