import type { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import { type ClockSample, offsetAt, originOf } from "../../core/shared/ClockOffset.ts"
import type { Backlog } from "./Backlog.ts"
import { COMMIT_FUNCTION } from "./commit/commitFunction.ts"
import type { ConnectionSettings } from "./ConnectionSettings.ts"
import { configOf, inRealTime } from "./database.ts"
import { unusable } from "./DatabaseUnusable.ts"
import { countBacklog } from "./reads/backlogReads.ts"
import { NOW_SQL } from "./reads/referenceClock.ts"
import { connectWith } from "./sessions/connectWith.ts"
import { TABLES } from "./tables.ts"

/** What a look at a database finds, which changes nothing. */
export interface Inspection {
  readonly version: string
  readonly encrypted: boolean
  readonly readOnly: boolean
  readonly role: string
  /** Whether the role owns the tables, or would once it has made them. */
  readonly owns: boolean
  /** Whether it may create names in their schema. */
  readonly creates: boolean
  /** Tables that the role may not read; none while there are no tables. */
  readonly missing: ReadonlyArray<string>
  /** The steps of the schema that have been made, by number. */
  readonly applied: ReadonlyArray<number>
  /** Whether this version's commit function is there, and may be called. */
  readonly hasFunction: boolean
  /** How far this machine's clock is ahead, in milliseconds; undefined where nobody knows. */
  readonly offset: number | undefined
  /** Undefined where the tables are not there or not readable. */
  readonly backlog: Backlog | undefined
}

const STANDING = `SELECT current_setting('server_version') AS version, session_user AS role,
    coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS encrypted,
    current_setting('transaction_read_only') = 'on' AS read_only,
    coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS creates,
    made IS NOT NULL AS made,
    CASE WHEN made IS NULL THEN coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)
      ELSE (SELECT pg_has_role(relowner, 'MEMBER') FROM pg_class WHERE oid = made) END AS owns,
    coalesce((SELECT bool_or(has_function_privilege(oid, 'EXECUTE')) FROM pg_proc
      WHERE proname = $1 AND pronamespace = current_schema()::regnamespace), false) AS calls,
    ARRAY(SELECT name FROM unnest($2::text[]) AS name WHERE NOT coalesce(has_table_privilege(
      to_regclass(quote_ident(current_schema()) || '.' || name), 'SELECT'), false)) AS missing
  FROM to_regclass(quote_ident(current_schema()) || '.payport_schema') AS made`

const APPLIED = "SELECT id FROM payport_schema ORDER BY id"

const SAMPLES = 5

const sampleClock = Effect.fnUntraced(function* (connection: PgConnection.PgConnection) {
  const samples: Array<ClockSample> = []
  while (samples.length < SAMPLES) {
    const asked = performance.now()
    const { rows } = yield* connection.query(NOW_SQL)
    const reference = Number(rows[0]?.["now"])
    samples.push({ asked, heard: performance.now(), reference })
  }
  const origin = originOf(samples)
  return origin === undefined ? undefined : offsetAt(origin, Date.now(), performance.now())
})

/**
 * Looks at the database as the service reaches it, by one connection, and changes nothing. `now` is
 * the time by which work is due. Fails with `DatabaseUnusable`, which says why it cannot be used.
 */
export const inspectDatabase = (settings: ConnectionSettings, now: number) =>
  Effect.gen(function* () {
    const { connection } = yield* connectWith(yield* configOf(settings))
    const names = TABLES.map(({ name }) => name)
    const { rows } = yield* connection.query(STANDING, [COMMIT_FUNCTION, `{${names.join()}}`])
    const [row = {}] = rows
    const made = row["made"] === true
    const missing = made ? (row["missing"] as ReadonlyArray<string>) : []
    const applied = made ? (yield* connection.query(APPLIED)).rows : []
    const query = (sql: string, parameters: ReadonlyArray<unknown>) =>
      Effect.map(connection.query(sql, parameters), (answer) => answer.rows)
    const readable = made && missing.length === 0
    const inspection: Inspection = {
      version: String(row["version"]),
      encrypted: row["encrypted"] === true,
      readOnly: row["read_only"] === true,
      role: String(row["role"]),
      owns: row["owns"] === true,
      creates: row["creates"] === true,
      missing,
      applied: applied.map(({ id }) => Number(id)),
      hasFunction: row["calls"] === true,
      offset: yield* sampleClock(connection),
      backlog: readable ? yield* countBacklog(query, now) : undefined,
    }
    return inspection
  }).pipe(
    Effect.catchTag("SqlError", (error) => Effect.fail(unusable(settings)(error))),
    Effect.scoped,
    inRealTime,
  )
