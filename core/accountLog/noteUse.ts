import { Clock, Effect } from "effect"
import { Store } from "../ports/Store.ts"
import { utcDay } from "../shared/Timestamp.ts"
import type { KnownUses } from "./KnownUses.ts"
import { USE_COUNTERS } from "./LogEntry.ts"
import { type Actor, logged } from "./logged.ts"

/** The most uses of a key that are logged a day, so that changing addresses do not fill the log. */
const MOST_A_DAY = 100

/** A use of a key: the group of routes and the client's address. */
export interface KeyUse {
  /** The group of routes, such as `read`. */
  readonly group: string
  /** The client's address; undefined where it is unknown. */
  readonly address: string | undefined
}

/**
 * Logs the use of a restricted key, the first time in a UTC day that it is used for a group of
 * routes from an address. After an error of the store the request continues, and the next use is
 * logged.
 */
export const noteUse = Effect.fnUntraced(function* (
  known: KnownUses,
  by: Actor,
  { address = "unknown", group }: KeyUse,
) {
  const day = utcDay(yield* Clock.currentTimeMillis)
  const use = `${by.actor}:${group}:${address}`
  if (known.has(use, day)) return
  const entry = yield* logged(by, "api_key.seen", by.actor, { group, address })
  const reservations = [
    { counter: `${USE_COUNTERS}${use}:${day}`, add: 1, limit: 1 },
    { counter: `${USE_COUNTERS}${by.actor}:${day}`, add: 1, limit: MOST_A_DAY },
  ]
  const committed = (yield* Store).commit({ writes: [entry], reservations })
  yield* committed.pipe(
    Effect.catchTag("Conflict", () => Effect.void),
    Effect.andThen(Effect.sync(() => known.add(use, day))),
    Effect.ignore,
  )
})
