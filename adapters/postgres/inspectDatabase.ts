import { Effect, Result } from "effect"
import { RING_PLACE } from "../../core/secrets/KeyRing.ts"
import { type ClockSample, offsetAt, originOf } from "../../core/shared/ClockOffset.ts"
import type { Backlog } from "./Backlog.ts"
import { COMMIT_FUNCTION } from "./commit/commitFunction.ts"
import type { ConnectionSettings, ServerPlace } from "./ConnectionSettings.ts"
import { configOf } from "./access.ts"
import { inRealTime } from "./database.ts"
import { unusable } from "./DatabaseUnusable.ts"
import { hasRoom } from "./diskRoom.ts"
import { databaseError } from "./failures.ts"
import { APPLIED } from "./migrate.ts"
import { countBacklog } from "./reads/backlogReads.ts"
import { NOW_SQL } from "./reads/referenceClock.ts"
import { FIND_EXCESS, findMissing } from "./schema/privileges.ts"
import { FIND_SILENT } from "./silentTriggers.ts"
import { readStanding, refusalOfSchema } from "./schemaStanding.ts"
import { type Connection, connectWith } from "./sessions/connectWith.ts"
import { noSession } from "./sessions/Session.ts"

/** A step of the schema that has been applied. */
export interface AppliedStep {
  readonly id: number
  /** The oldest step that a process may know to run beside this one; null if none may. */
  readonly beside: number | null
}

/** The result of an inspection of a database. An inspection changes nothing. */
export interface Inspection {
  readonly version: string
  readonly encrypted: boolean
  readonly readOnly: boolean
  /** Whether the server's disk has no room for more than a few rows. */
  readonly full: boolean
  readonly role: string
  readonly schema: string
  /** Whether the role owns the tables, or would own them after making them. */
  readonly owns: boolean
  /** Whether it may create names in their schema. */
  readonly creates: boolean
  /** Rights that the role lacks, such as `INSERT on postings`. Empty if there are no tables. */
  readonly missing: ReadonlyArray<string>
  /** Rights that it has beyond those that it needs. Empty for the tables' owner. */
  readonly excess: ReadonlyArray<string>
  /** Triggers of the tables that do not fire, such as `postings_kept on postings`. */
  readonly silent: ReadonlyArray<string>
  /** Whether the tables exist and may all be read. */
  readonly readable: boolean
  /** Whether the audit log ends with the entry that its head names. False stops operators' acts. */
  readonly endsWithHead: boolean
  /** The schema's steps that have been applied, in order. */
  readonly applied: ReadonlyArray<AppliedStep>
  /** Whether this version's commit function exists and the role may call it. */
  readonly hasFunction: boolean
  /** How far this machine's clock is ahead, in milliseconds. Undefined if unknown. */
  readonly offset: number | undefined
  /** Undefined if the tables do not exist or are not readable. */
  readonly backlog: Backlog | undefined
  /** The key ring as it is stored. Undefined if there is none, or it is not readable. */
  readonly ring: unknown
}

const RING = "SELECT body FROM payport.documents WHERE scope = $1 AND id = $2"

const STANDING = `SELECT current_setting('server_version') AS version,
    coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS encrypted,
    current_setting('transaction_read_only') = 'on' AS read_only,
    coalesce((SELECT bool_or(has_function_privilege(pg_proc.oid, 'EXECUTE')) FROM pg_proc
      WHERE proname = $1 AND pronamespace = ours.oid), false) AS calls
  FROM (SELECT (SELECT oid FROM pg_namespace WHERE nspname = $2) AS oid) AS ours`

const ENDS_WITH_HEAD = `SELECT coalesce(
  (SELECT (head.sequence, head.hash) = (last.sequence, last.hash)
    FROM payport.audit_head AS head, payport.audit_entries AS last
    WHERE last.sequence = (SELECT max(sequence) FROM payport.audit_entries)),
  (SELECT sequence = 0 FROM payport.audit_head), false) AS ends`

const SAMPLES = 5

const sampleClock = Effect.fnUntraced(function* (connection: Connection) {
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
 * Inspects the database with the service's settings over one connection. Changes nothing. Work is
 * due at `now`. Fails with `DatabaseUnusable`, which says why the database cannot be used.
 */
export const inspectDatabase = (settings: ConnectionSettings, now: number) =>
  Effect.gen(function* () {
    const config = yield* configOf(settings)
    const { connection } = yield* connectWith(config)
    const standing = yield* readStanding(connection, config.schema)
    const refusal = refusalOfSchema(standing, config.schema)
    if (refusal !== undefined) return yield* refusal
    const asked = [COMMIT_FUNCTION, config.schema.name]
    const [row = {}] = (yield* connection.query(STANDING, asked, false)).rows
    const { creates, made, owns, role } = standing
    const named = (sql: string, column: string, parameters: ReadonlyArray<string> = []) =>
      Effect.map(connection.query(sql, parameters, false), ({ rows }) =>
        rows.map((found) => String(found[column])),
      )
    const missing = made ? yield* named(findMissing(config.schema), "missing") : []
    const excess = made && !owns ? yield* named(FIND_EXCESS, "excess") : []
    const silent = yield* named(FIND_SILENT, "silent", [config.schema.name])
    const readable = made && !missing.some((rights) => rights.includes("SELECT"))
    const applied = made ? (yield* connection.query(APPLIED)).rows : []
    const query = (sql: string, parameters: ReadonlyArray<unknown>) =>
      Effect.map(connection.query(sql, parameters), (answer) => answer.rows)
    const ends = readable ? yield* query(ENDS_WITH_HEAD, []) : []
    const ring = readable ? yield* query(RING, [RING_PLACE.scope, RING_PLACE.id]) : []
    const inspection: Inspection = {
      version: String(row["version"]),
      encrypted: row["encrypted"] === true,
      readOnly: row["read_only"] === true,
      full: !(yield* hasRoom(connection)),
      schema: config.schema.name,
      role,
      owns,
      creates,
      missing,
      excess,
      silent,
      readable,
      endsWithHead: ends[0]?.["ends"] === true,
      applied: applied.map(({ beside, id }) => ({
        id: Number(id),
        beside: beside === null ? null : Number(beside),
      })),
      hasFunction: row["calls"] === true,
      offset: yield* sampleClock(connection),
      backlog: readable ? yield* countBacklog(query, now) : undefined,
      ring: ring[0]?.["body"],
    }
    return inspection
  }).pipe(
    Effect.catchTag("SqlError", (error) => Effect.fail(unusable(settings)(error))),
    Effect.scoped,
    inRealTime,
  )

/** The state of one of several servers, or why it is unknown. */
export type ServerFound = { readonly server: string } & (
  | { readonly follows: boolean; readonly read_only: boolean }
  | { readonly problem: string }
)

const PATIENCE = "5 seconds"

const lookAt = Effect.fnUntraced(function* (
  config: Parameters<typeof connectWith>[0],
  place: ServerPlace,
) {
  const server = `${place.host}:${place.port}`
  const found = yield* connectWith({ ...config, ...place }).pipe(
    Effect.timeoutOrElse({
      duration: PATIENCE,
      orElse: () => Effect.fail(noSession("NO_ANSWER", "It does not answer.")),
    }),
    Effect.scoped,
    Effect.result,
  )
  if (Result.isFailure(found)) return { server, problem: databaseError(found.failure).message }
  const { follows, read_only } = found.success.standing
  return { server, follows, read_only }
})

/**
 * Inspects each of several servers of a database, including the replicas: after a failover any of
 * them may be the primary. Fails with `DatabaseUnusable` if none can be used now.
 */
export const inspectServers = (settings: ConnectionSettings) =>
  Effect.gen(function* () {
    const config = yield* configOf(settings)
    const { host = "localhost", otherServers = [], port = 5_432 } = settings
    const places = [{ host, port }, ...otherServers]
    return yield* Effect.forEach(
      places,
      (place): Effect.Effect<ServerFound> => lookAt(config, place),
      { concurrency: "unbounded" },
    )
  }).pipe(
    Effect.catchTag("SqlError", (error) => Effect.fail(unusable(settings)(error))),
    inRealTime,
  )
