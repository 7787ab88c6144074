import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import type { DatabaseConnection } from "../../../adapters/postgres/embedded/database.ts"

/** The states of the commit connection, as shares of all samples. */
export interface CommitShares {
  /** Running the function that decides and writes. */
  readonly working: number
  /** Making the write-ahead log durable. */
  readonly flushing: number
  /** Waiting for the service to send the next group. */
  readonly waiting: number
}

const LOOK = `SELECT state, wait_event FROM pg_stat_activity
  WHERE datname = current_database() AND query LIKE 'SELECT "payport".payport_commit_%'
    AND pid <> pg_backend_pid()`

const PAUSE = "10 millis"

const shareOf = (kind: string, event: unknown): keyof CommitShares => {
  if (kind !== "active" || event === "ClientRead") return "waiting"
  return typeof event === "string" && /^Wal/i.test(event) ? "flushing" : "working"
}

/** Looks at the connection again and again while the work lasts. */
export const watchCommits = async <A>(
  connection: DatabaseConnection,
  work: () => Promise<A>,
): Promise<{ readonly result: A; readonly shares: CommitShares }> => {
  const counts = { working: 0, flushing: 0, waiting: 0 }
  const over = new AbortController()
  const looking = Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const session = yield* PgConnection.make(connection)
        while (!over.signal.aborted) {
          const { rows } = yield* session.query(LOOK)
          for (const { state, wait_event: event } of rows)
            counts[shareOf(String(state), event)] += 1
          yield* Effect.sleep(PAUSE)
        }
      }),
    ),
  )
  try {
    const result = await work()
    over.abort()
    await looking
    const all = Math.max(1, counts.working + counts.flushing + counts.waiting)
    const shares = {
      working: counts.working / all,
      flushing: counts.flushing / all,
      waiting: counts.waiting / all,
    }
    return { result, shares }
  } finally {
    over.abort()
  }
}
