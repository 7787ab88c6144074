import { Effect, Schedule } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { COMMIT_FUNCTION, CREATE_COMMIT_FUNCTION } from "./commit/commitFunction.ts"
import { dropUnused, MARK_COMMIT_FUNCTION } from "./commit/unusedFunctions.ts"
import type { SessionSource } from "./access.ts"
import { DatabaseUnusable } from "./DatabaseUnusable.ts"
import type { OurSchema } from "./OurSchema.ts"
import type { Step } from "./schema.ts"
import { grantsTo } from "./schema/privileges.ts"
import { readStanding, refusalOfSchema } from "./schemaStanding.ts"
import type { Connection } from "./sessions/connectWith.ts"

/** A number that nothing else in the database uses as an advisory lock. */
export const MIGRATION_LOCK = 7_296_015_431

/** The table that records the applied steps. */
export const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS payport.payport_schema (
  id integer PRIMARY KEY,
  name text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now(),
  beside integer
)`

/** The longest wait for a lock. Statements queued behind it wait as long. */
export const LOCK_TIMEOUT = "2s"

/** Limits that a migration switches off, for its work and for its wait for another migration. */
const LIMITS = ["statement_timeout", "idle_in_transaction_session_timeout", "lock_timeout"]

/** How often a step that meets locks is tried, with a pause for other work in between. */
const TRIES = 200
const PAUSE = "1 second"

const isLocked = ({ reason }: SqlError): boolean => reason._tag === "LockTimeoutError"

/** The oldest transaction, as far as this role may see it. */
const LONGEST = `SELECT pid, application_name AS name, extract(epoch FROM now() - xact_start)::int
    AS seconds FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
  ORDER BY xact_start LIMIT 1`

/** Logs which transaction the migration waits for. */
const tellWait = Effect.fnUntraced(function* (connection: Connection) {
  const { rows } = yield* connection.query(LONGEST, [], false)
  yield* Effect.logWarning(
    "The migration is waiting for a lock. It is tried again until it gets the lock.",
    ...rows.map(({ name, pid, seconds }) => ({ longest_transaction: { pid, name, seconds } })),
  )
})

/**
 * Runs the statements in one transaction. A wait for a lock is given up after two seconds and tried
 * again later, because other users of the table would wait behind it.
 */
const inTransaction = (
  connection: Connection,
  statements: ReadonlyArray<readonly [sql: string, parameters?: ReadonlyArray<unknown>]>,
): Effect.Effect<void, SqlError> =>
  Effect.forEach(
    [["BEGIN"] as const, ...statements, ["COMMIT"] as const],
    ([sql, parameters = []]) => connection.query(sql, parameters, false),
    { discard: true },
  ).pipe(
    Effect.tapError(() => Effect.ignore(connection.query("ROLLBACK", [], false))),
    Effect.tapError((error) =>
      isLocked(error) ? Effect.ignore(tellWait(connection)) : Effect.void,
    ),
    Effect.retry({ while: isLocked, times: TRIES, schedule: Schedule.spaced(PAUSE) }),
  )

/** The first release's table has no column `beside`. */
const APPLIED = `SELECT id, name, (to_json(payport_schema) ->> 'beside')::int AS beside
  FROM payport.payport_schema ORDER BY id`

/** Returns the steps that a database has taken. Fails if this version cannot work with one. */
export const applied = Effect.fnUntraced(function* (
  connection: Connection,
  steps: ReadonlyArray<Step>,
) {
  const { rows } = yield* connection.query(APPLIED)
  const known = new Map(steps.map(({ id, name }) => [id, name]))
  const last = steps.at(-1)?.id ?? 0
  for (const { beside, id, name } of rows) {
    if (known.get(id as number) === name) continue
    if (!known.has(id as number) && beside !== null && Number(beside) <= last) continue
    return yield* new DatabaseUnusable({
      message:
        `The database has the schema step ${String(id)} (${String(name)}) of a newer payport.` +
        ` This version only knows steps up to ${last} and cannot use the database. Start the` +
        " version that used it, or a later one.",
    })
  }
  return new Set(rows.map(({ id }) => id as number))
})

const RECORD = `INSERT INTO payport.payport_schema (id, name, beside) VALUES ($1, $2, $3)`

const recordOf = ({ beside, id, name }: Step) => [RECORD, [id, name, beside]] as const

const plain = (statements: ReadonlyArray<string>) => statements.map((sql) => [sql] as const)

/** Whether this version's commit function exists. */
export const hasCommitFunction = Effect.fnUntraced(function* (
  connection: Connection,
  { name }: OurSchema,
) {
  const { rows } = yield* connection.query(
    `SELECT FROM pg_proc JOIN pg_namespace ON pg_namespace.oid = pronamespace
      WHERE proname = $1 AND nspname = $2`,
    [COMMIT_FUNCTION, name],
  )
  return rows.length > 0
})

const noRole = (role: string) =>
  new DatabaseUnusable({
    message:
      `The role ${role} of PAYPORT_DATABASE_URL does not exist. Create it with CREATE ROLE …` +
      " LOGIN PASSWORD …, and try again.",
  })

/** Grants the service's role its rights, and revokes others that an earlier version granted. */
const grant = Effect.fnUntraced(function* (
  connection: Connection,
  role: string,
  schema: OurSchema,
) {
  const { rows } = yield* connection.query(
    `SELECT session_user = $1 AS same,
      EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS known`,
    [role],
  )
  const [{ known, same } = {}] = rows
  if (same === true) return
  if (known !== true) return yield* noRole(role)
  yield* inTransaction(connection, plain(grantsTo(role, schema)))
})

/**
 * Makes the schema or migrates it, makes this version's commit function, and drops the commit
 * functions that no process calls any more. A given role gets only what the service needs. Each
 * step is one transaction. An advisory lock lets one process at a time check and act. The lock ends
 * with the connection. The work has no time limit, because a step may rewrite a large table.
 * Returns the names of the steps that migrated an older database, and which processes may run
 * beside it.
 */
export const migrate = Effect.fnUntraced(function* (
  { connect, schema }: SessionSource,
  steps: readonly [Step, ...ReadonlyArray<Step>],
  role?: string,
) {
  const connection = yield* connect
  for (const limit of LIMITS) yield* connection.query(`SET ${limit} = 0`, [], false)
  yield* connection.query(`SELECT pg_advisory_lock($1::bigint)`, [schema.lock(MIGRATION_LOCK)])
  yield* connection.query(`SET lock_timeout = '${LOCK_TIMEOUT}'`, [], false)
  const standing = yield* readStanding(connection, schema)
  const refusal = refusalOfSchema(standing, schema)
  if (refusal !== undefined) return yield* refusal
  if (!standing.there) yield* connection.query(`CREATE SCHEMA ${schema.quoted}`, [], false)
  yield* connection.query(CREATE_TABLE, [], false)
  const done = yield* applied(connection, steps)
  const [first, ...later] = steps
  if (done.size === 0) {
    yield* inTransaction(connection, [...plain(first.statements), ...steps.map(recordOf)])
  }
  const taken = done.size === 0 ? [] : later.filter(({ id }) => !done.has(id))
  for (const step of taken) {
    yield* inTransaction(connection, [...plain(step.statements), recordOf(step)])
  }
  if (!(yield* hasCommitFunction(connection, schema))) {
    yield* inTransaction(connection, plain([...CREATE_COMMIT_FUNCTION, MARK_COMMIT_FUNCTION]))
  }
  yield* inTransaction(connection, plain([dropUnused(schema)]))
  if (role !== undefined) yield* grant(connection, role, schema)
  return { taken: taken.map(({ name }) => name), beside: besideOf(steps) }
}, Effect.scoped)

/** Returns the oldest step at which another process's schema may end to work with all steps. */
const besideOf = (steps: ReadonlyArray<Step>): number =>
  Math.max(...steps.map(({ beside }) => beside))
