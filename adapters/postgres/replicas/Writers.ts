import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import type { StoreUnavailable } from "../../../core/ports/Store.ts"
import { ask, type Database, run } from "../database.ts"

/** How long the commit of a request may take, plus the difference of servers' clocks, in ms. */
const LONGEST_COMMIT = 30_000

/** How much longer a writer stays announced, in ms. */
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
 * The callers that have written recently. A process knows when its own writes ended, but learns of
 * writes by other processes too late. So each process announces a caller on the primary before it
 * commits for the caller, once a minute. A usable replica has all writes of an unannounced caller.
 */
export class Writers {
  readonly #database: Database
  readonly #longestLag: number
  readonly #process = randomUUID()
  /** The end of the last write by name, by `performance.now()`. */
  #wrote = new Map<string, number>()
  /** The end of the announcement by name, by `performance.now()`. */
  #announced = new Map<string, number>()
  #line: string | undefined

  /** `longestLag` is the longest lag of a replica that is used, in milliseconds. */
  constructor(database: Database, longestLag: number) {
    this.#database = database
    this.#longestLag = longestLag
  }

  /** Announces the name to other processes, runs the write and records its end. */
  readonly write = <A, E, R>(
    name: string,
    writing: Effect.Effect<A, E, R>,
  ): Effect.Effect<A, E, R> =>
    Effect.andThen(
      this.#announce(name),
      // A write that failed may have been stored, too.
      Effect.ensuring(
        writing,
        Effect.sync(() => void this.#wrote.set(name, performance.now())),
      ),
    )

  /**
   * Records which server is the primary. A new primary may lack the latest announcements, so all
   * callers are announced again.
   */
  follow(line: string): void {
    if (this.#line !== undefined && this.#line !== line) this.#announced.clear()
    this.#line = line
  }

  /** Returns when this process last wrote for the name; undefined if never or long ago. */
  lastOwn(name: string): number | undefined {
    return this.#wrote.get(name)
  }

  /** Whether another process may have written something for the name that replicas still lack. */
  elsewhere(name: string): Effect.Effect<boolean, StoreUnavailable> {
    const own = `${name} ${this.#process}`
    return Effect.map(
      ask(this.#database.reads, ELSEWHERE_SQL, [`${name} `, `${name}!`, own]),
      ({ length }) => length > 0,
    )
  }

  /** Removes old entries in memory and in the database. */
  readonly purge: Effect.Effect<void, StoreUnavailable> = Effect.suspend(() => {
    const now = performance.now()
    const old = now - this.#longestLag
    this.#wrote = new Map([...this.#wrote].filter(([, at]) => at > old))
    this.#announced = new Map([...this.#announced].filter(([, until]) => until > now))
    return Effect.asVoid(run(this.#database.work, PURGE_SQL, []))
  })

  /** Announces the name on the primary. If that fails, the write still goes ahead. */
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
