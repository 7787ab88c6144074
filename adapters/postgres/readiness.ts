import { Effect, Fiber } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Store } from "../../core/ports/Store.ts"
import { StoreUnavailable } from "../../core/ports/StoreUnavailable.ts"
import { type Database, inRealTime } from "./database.ts"
import { DatabaseError, databaseError, troubleOf } from "./failures.ts"
import { noSession } from "./sessions/Session.ts"

/**
 * One row for all processes, which is never read. A server that accepts it accepts other writes.
 */
const READINESS_SQL = `INSERT INTO payport.documents (scope, id, version, body)
  VALUES ('readiness', 'probe', 1, 'null') ON CONFLICT (scope, id)
  DO UPDATE SET version = documents.version + 1`

/** The time limit of a readiness check. */
const WITHIN = "1 second"

/** The shortest time between two writes of one process, in milliseconds. */
const SHARED_FOR = 250

/** How long a full disk is reported, in milliseconds. A small row may still find space. */
const FULL_FOR = 5_000

const unavailable = (error: SqlError): StoreUnavailable => {
  const cause = databaseError(error)
  return new StoreUnavailable({ outcome: "not_stored", cause, trouble: troubleOf(cause) })
}

const noAnswer = Effect.fail(unavailable(noSession("NO_ANSWER", "The server does not answer.")))

/** Uses the connection for rate windows, which waits for no longer statement. */
export const readinessWrite = ({ leases }: Database): Effect.Effect<void, SqlError> =>
  Effect.asVoid(leases.write((connection) => connection.query(READINESS_SQL, [])))

const isFull = ({ cause }: StoreUnavailable): boolean =>
  cause instanceof DatabaseError && troubleOf(cause) === "full"

/** Checks whether the database takes writes. */
export interface Readiness {
  /** Callers at the same time wait for the same write, which goes on if they give up. */
  readonly ping: Store["Service"]["ping"]
  /** Records the failure of a commit that was not stored. */
  readonly learn: (failure: StoreUnavailable) => void
}

export const makeReadiness = (write: Effect.Effect<void, SqlError>): Readiness => {
  let asked = -Infinity
  let writing: Fiber.Fiber<void, SqlError> | undefined
  let full: { readonly failure: StoreUnavailable; readonly until: number } | undefined
  const ping = () =>
    Effect.suspend(() => {
      const isOld = performance.now() - asked > SHARED_FOR
      if (writing === undefined || (isOld && writing.pollUnsafe() !== undefined)) {
        asked = performance.now()
        writing = Effect.runFork(write)
      }
      return Fiber.join(writing)
    }).pipe(
      Effect.mapError(unavailable),
      Effect.andThen(
        Effect.suspend(() =>
          full === undefined || performance.now() > full.until
            ? Effect.void
            : Effect.fail(full.failure),
        ),
      ),
      Effect.timeoutOrElse({ duration: WITHIN, orElse: () => noAnswer }),
      inRealTime,
    )
  const learn = (failure: StoreUnavailable): void => {
    if (!isFull(failure)) return
    const { cause, outcome } = failure
    const shown = new StoreUnavailable({ outcome, cause, trouble: "full" })
    full = { failure: shown, until: performance.now() + FULL_FOR }
  }
  return { ping, learn }
}
