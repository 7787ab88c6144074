import { Effect } from "effect"
import { Ids } from "../ports/Ids.ts"
import { Store } from "../ports/Store.ts"
import { WallClock } from "../ports/WallClock.ts"
import { type ConsoleSession, hasEndedByAge } from "./ConsoleSession.ts"

/** The most expired sessions that are removed when another begins. */
const LEAVING = 20

const removalOf = (record: ConsoleSession) =>
  ({ op: "remove", kind: "console_session", record }) as const

/** Removes the oldest expired sessions. Of concurrent removals, one is enough. */
const clearEnded = Effect.fnUntraced(
  function* (now: number) {
    const store = yield* Store
    const oldest = yield* store.scan("console_session", { after: undefined, limit: LEAVING })
    const ended = oldest.filter((session) => hasEndedByAge(session, now))
    if (ended.length === 0) return
    yield* store.commit({ writes: ended.map(removalOf) })
  },
  Effect.catchTag("Conflict", () => Effect.void),
)

/** Begins a console session and removes some that have expired. Returns its record. */
export const beginSession = Effect.fn("beginSession")(function* () {
  const store = yield* Store
  const created_at = yield* (yield* WallClock).now
  const record: ConsoleSession = { id: `cses_${(yield* Ids).uuid()}`, version: 1, created_at }
  yield* store
    .commit({ writes: [{ op: "insert", kind: "console_session", record }] })
    .pipe(Effect.catchTag("Conflict", Effect.die))
  yield* clearEnded(created_at)
  return record
})

/** Ends a console session for every process. Ending it again changes nothing. */
export const endSession = Effect.fn("endSession")(
  function* (id: string) {
    const store = yield* Store
    const record = yield* store.find("console_session", id)
    if (record !== undefined) yield* store.commit({ writes: [removalOf(record)] })
  },
  Effect.catchTag("Conflict", () => Effect.void),
)

/** Tells whether the session is active. A process caches the answer for a second at most. */
export const sessionGoesOn = Effect.fnUntraced(function* (id: string) {
  return (yield* (yield* Store).find("console_session", id)) !== undefined
})
