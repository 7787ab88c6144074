import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import type { StoreUnavailable } from "../../../core/ports/Store.ts"
import { ask, type Database, run } from "../database.ts"

/** How long the commit of a request may take, and what clocks of servers may differ, in ms. */
const LONGEST_COMMIT = 30_000

/** For how long a writer is announced beyond that. */
const AHEAD = 60_000

const ANNOUNCE_SQL = `INSERT INTO payport.documents (scope, id, version, body, due_at)
  VALUES ('writers', $1, 1, 'null', clock_timestamp() + $2::int * interval '1 millisecond')
  ON CONFLICT (scope, id) DO UPDATE SET version = documents.version + 1, due_at = excluded.due_at`

const ELSEWHERE_SQL = `SELECT FROM payport.documents
  WHERE scope = 'writers' AND id > $1 AND id < $2 AND id <> $3 AND due_at > clock_timestamp()
  LIMIT 1`

const PURGE_SQL = `DELETE FROM payport.documents WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM payport.documents WHERE scope = 'writers' AND due_at < clock_timestamp()
  ORDER BY due_at, id LIMIT 1000 FOR UPDATE SKIP LOCKED))`

/**
 * Who has written lately. Of its own writes a process knows when they ended. What others write it
 * cannot hear in time, so each announces a writer to the primary before it commits for them, once a
 * minute: whoever is not announced has written nothing that a usable replica may lack.
 */
export class Writers {
  readonly #database: Database
  readonly #longestLag: number
  readonly #process = randomUUID()
  /** When writes of the name ended last, and until when it is announced, by `performance.now()`. */
  #wrote = new Map<string, number>()
  #announced = new Map<string, number>()
  #line: string | undefined

  /** Replicas are used that lag up to `longestLag` milliseconds. */
  constructor(database: Database, longestLag: number) {
    this.#database = database
    this.#longestLag = longestLag
  }

  /** Runs what writes for a name, with whom others are told of before. */
  readonly write = <A, E, R>(
    name: string,
    writing: Effect.Effect<A, E, R>,
  ): Effect.Effect<A, E, R> =>
    Effect.andThen(
      this.#announce(name),
      // Also what failed may have been stored.
      Effect.ensuring(
        writing,
        Effect.sync(() => void this.#wrote.set(name, performance.now())),
      ),
    )

  /**
   * Says which server is the primary. Another one may lack what the one before was told last, so
   * that everybody is announced anew.
   */
  follow(line: string): void {
    if (this.#line !== undefined && this.#line !== line) this.#announced.clear()
    this.#line = line
  }

  /** When this process has written for the name last; undefined where that is long ago. */
  lastOwn(name: string): number | undefined {
    return this.#wrote.get(name)
  }

  /** Whether another process may have written for the name what a replica does not show yet. */
  elsewhere(name: string): Effect.Effect<boolean, StoreUnavailable> {
    const own = `${name} ${this.#process}`
    return Effect.map(
      ask(this.#database.reads, ELSEWHERE_SQL, [`${name} `, `${name}!`, own]),
      ({ length }) => length > 0,
    )
  }

  /** Forgets those of long ago, here and in the database. */
  readonly purge: Effect.Effect<void, StoreUnavailable> = Effect.suspend(() => {
    const now = performance.now()
    const old = now - this.#longestLag
    this.#wrote = new Map([...this.#wrote].filter(([, at]) => at > old))
    this.#announced = new Map([...this.#announced].filter(([, until]) => until > now))
    return Effect.asVoid(run(this.#database.work, PURGE_SQL, []))
  })

  /** A write that nobody could be told of is a write all the same. */
  #announce(name: string): Effect.Effect<void> {
    return Effect.suspend(() => {
      const least = this.#longestLag + LONGEST_COMMIT
      const now = performance.now()
      if ((this.#announced.get(name) ?? 0) > now + least) return Effect.void
      const parameters = [`${name} ${this.#process}`, least + AHEAD]
      return run(this.#database.leases, ANNOUNCE_SQL, parameters).pipe(
        Effect.andThen(Effect.sync(() => void this.#announced.set(name, now + least + AHEAD))),
        Effect.catchCause((cause) =>
          Effect.logDebug("A write could not be announced to other processes.", cause),
        ),
      )
    })
  }
}
