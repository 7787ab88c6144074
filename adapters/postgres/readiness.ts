import { Effect, Fiber } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Store } from "../../core/ports/Store.ts"
import { StoreUnavailable } from "../../core/ports/StoreUnavailable.ts"
import { type Database, inRealTime } from "./database.ts"
import { databaseError, troubleOf } from "./failures.ts"
import { noSession } from "./sessions/Session.ts"

/** A row for all processes, which nobody reads: a server that takes it takes others. */
const READINESS_SQL = `INSERT INTO documents (scope, id, version, body)
  VALUES ('readiness', 'probe', 1, 'null') ON CONFLICT (scope, id)
  DO UPDATE SET version = documents.version + 1`

/** Whoever asks whether the store takes writes does not want to wait long for a no. */
const WITHIN = "1 second"

/** Anybody may ask: however many do, a process writes no more often, in milliseconds. */
const SHARED_FOR = 250

const unavailable = (error: SqlError): StoreUnavailable => {
  const cause = databaseError(error)
  return new StoreUnavailable({ outcome: "not_stored", cause, trouble: troubleOf(cause) })
}

const noAnswer = Effect.fail(unavailable(noSession("NO_ANSWER", "The server does not answer.")))

/**
 * Whether the database takes writes, on the connection of rate windows, which waits for nothing
 * longer. Who asks meanwhile waits for the same write, which goes on when they give up.
 */
export const makePing = ({ leases }: Database): Store["Service"]["ping"] => {
  const write = Effect.asVoid(leases.use((connection) => connection.query(READINESS_SQL, [])))
  let asked = -Infinity
  let writing: Fiber.Fiber<void, SqlError> | undefined
  return () =>
    Effect.suspend(() => {
      const isOld = performance.now() - asked > SHARED_FOR
      if (writing === undefined || (isOld && writing.pollUnsafe() !== undefined)) {
        asked = performance.now()
        writing = Effect.runFork(write)
      }
      return Fiber.join(writing)
    }).pipe(
      Effect.mapError(unavailable),
      Effect.timeoutOrElse({ duration: WITHIN, orElse: () => noAnswer }),
      inRealTime,
    )
}
