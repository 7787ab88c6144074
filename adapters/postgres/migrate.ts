import { type Duration, Effect, Exit, Schedule } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { COMMIT_FUNCTION, CREATE_COMMIT_FUNCTION } from "./commit/commitFunction.ts"
import { dropUnused, MARK_COMMIT_FUNCTION } from "./commit/unusedFunctions.ts"
import type { SessionSource } from "./access.ts"
import { DatabaseUnusable } from "./DatabaseUnusable.ts"
import type { OurSchema } from "./OurSchema.ts"
import { makeOnline } from "./onlineParts.ts"
import { refuseOlder } from "./runningProcesses.ts"
import { FIND_GRANTED, grantsTo } from "./schema/privileges.ts"
import type { Step, StepInTransaction, Steps } from "./schema/Step.ts"
import { refuseSilent } from "./silentTriggers.ts"
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

const send = (connection: Connection, sql: string, parameters: ReadonlyArray<unknown> = []) =>
  connection.query(sql, parameters, false)

const sendAll = (connection: Connection, statements: ReadonlyArray<string>) =>
  Effect.forEach(statements, (sql) => send(connection, sql), { discard: true })

/**
 * Does the work in one transaction. A wait for a lock is given up after two seconds and tried again
 * later, because other users of the table would wait behind it.
 */
const inTransaction = (
  connection: Connection,
  work: Effect.Effect<unknown, SqlError>,
): Effect.Effect<void, SqlError> =>
  send(connection, "BEGIN").pipe(
    Effect.andThen(work),
    Effect.andThen(send(connection, "COMMIT")),
    Effect.asVoid,
    Effect.tapError(() => Effect.ignore(send(connection, "ROLLBACK"))),
    Effect.tapError((error) =>
      isLocked(error) ? Effect.ignore(tellWait(connection)) : Effect.void,
    ),
    Effect.retry({ while: isLocked, times: TRIES, schedule: Schedule.spaced(PAUSE) }),
  )

/** Finds the steps that have been taken. The first release's table has no column `beside`. */
export const APPLIED = `SELECT id, name, (to_json(payport_schema) ->> 'beside')::int AS beside
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

const record = (connection: Connection, { beside, id, name }: Step) =>
  send(connection, RECORD, [id, name, beside])

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

/**
 * Returns what grants the service's role its rights on what is there, and revokes others that an
 * earlier version granted. Each transaction ends with it: wherever a migration stops, the processes
 * that run go on.
 */
const granting = Effect.fnUntraced(function* (
  connection: Connection,
  role: string | undefined,
  schema: OurSchema,
) {
  if (role === undefined) return Effect.void
  const { rows } = yield* connection.query(
    `SELECT session_user = $1 AS same,
      EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS known`,
    [role],
  )
  const [{ known, same } = {}] = rows
  if (same === true) return Effect.void
  if (known !== true) return yield* noRole(role)
  return Effect.flatMap(send(connection, FIND_GRANTED), (found) => {
    const there = new Set(found.rows.map(({ name }) => String(name)))
    return sendAll(
      connection,
      grantsTo(role, schema, (name) => there.has(name)),
    )
  })
})

/** How often another migration is looked for. */
const TURN = "200 millis"
/** How often before its log names it: processes that start together wait for a moment. */
const UNTOLD_TURNS = 15

/** The session that migrates: the halves of its lock's key stand in two columns. */
const migratorOf = (key: string): string => `SELECT pid, application_name AS name
  FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'advisory' AND granted AND objsubid = 1
    AND (classid::bigint << 32) + objid::bigint = ${key}
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

const tellMigrator = (connection: Connection, key: string) =>
  Effect.flatMap(send(connection, migratorOf(key)), ({ rows }) =>
    Effect.logWarning("Another migration of this database is running. This one goes on after it.", {
      waits_for: rows,
    }),
  )

/**
 * Waits until no other migration runs, and logs for which after some seconds. The lock is tried,
 * not waited for: an online step waits for all older transactions, which would include a waiting
 * statement.
 */
const takeTurn = Effect.fnUntraced(function* (connection: Connection, { lock }: OurSchema) {
  const key = lock(MIGRATION_LOCK)
  const tried = Effect.map(
    send(connection, `SELECT pg_try_advisory_lock(${key}) AS taken`),
    ({ rows }) => rows[0]?.["taken"] === true,
  )
  const again = { until: Boolean, schedule: Schedule.spaced(TURN) }
  if (yield* Effect.repeat(tried, { ...again, times: UNTOLD_TURNS })) return
  yield* tellMigrator(connection, key)
  yield* Effect.repeat(tried, again)
})

const hasDeadlock = ({ reason }: SqlError): boolean => reason._tag === "DeadlockError"

/** Takes a step. An online one is tried again if its index met a migration of an older version. */
const takeStep = Effect.fnUntraced(function* (
  connection: Connection,
  sessions: SessionSource,
  step: Step,
  grant: Effect.Effect<unknown, SqlError>,
) {
  const end = Effect.andThen(record(connection, step), grant)
  if ("statements" in step) {
    return yield* inTransaction(
      connection,
      Effect.andThen(sendAll(connection, step.statements), end),
    )
  }
  for (const part of step.online) {
    yield* Effect.retry(makeOnline(connection, sessions, part, LOCK_TIMEOUT), {
      while: hasDeadlock,
      times: TRIES,
      schedule: Schedule.spaced(PAUSE),
    })
  }
  yield* inTransaction(connection, end)
})

/** Makes a new database, in one transaction. */
const makeAll = (
  connection: Connection,
  first: StepInTransaction,
  later: ReadonlyArray<Step>,
  grant: Effect.Effect<unknown, SqlError>,
): Effect.Effect<void, SqlError> =>
  inTransaction(
    connection,
    sendAll(connection, first.statements).pipe(
      Effect.andThen(Effect.forEach([first, ...later], (step) => record(connection, step))),
      Effect.andThen(grant),
    ),
  )

/** Releases the lock and what the migration has set, unless the session is gone or still busy. */
const giveBack = (connection: Connection, { lock }: OurSchema, within: Duration.Input) =>
  Effect.ignore(
    sendAll(connection, [
      `SELECT pg_advisory_unlock(${lock(MIGRATION_LOCK)})`,
      ...LIMITS.map((limit) => `RESET ${limit}`),
    ]).pipe(Effect.timeout(within)),
  )

/** Opens a session that nothing limits and that is the only one to migrate. */
const openTurn = Effect.fnUntraced(function* ({ connect, schema }: SessionSource) {
  const connection = yield* connect
  yield* sendAll(
    connection,
    LIMITS.map((limit) => `SET ${limit} = 0`),
  )
  yield* takeTurn(connection, schema)
  // A session pooler may keep the session for others, with its lock and its settings. After an
  // interruption a statement may still run, which is hardly waited for: a pooler closes a session
  // whose client leaves in the middle of a statement.
  yield* Effect.addFinalizer((exit) =>
    giveBack(connection, schema, Exit.hasInterrupts(exit) ? "500 millis" : "2 seconds"),
  )
  yield* send(connection, `SET lock_timeout = '${LOCK_TIMEOUT}'`)
  return connection
})

/**
 * Makes the schema or migrates it, makes this version's commit function, and drops the commit
 * functions that no process calls any more. A given role gets only what the service needs. A step
 * is one transaction, or online. An advisory lock lets one process at a time check and act. The
 * lock ends with the connection. The work has no time limit, because a step may rewrite a large
 * table. Fails with `DatabaseUnusable`, before it changes anything, while processes run that are
 * older than the steps allow, or if triggers of the tables are disabled. Returns the names of the
 * steps that migrated an older database, and which processes may run beside it.
 */
export const migrate = Effect.fnUntraced(function* (
  sessions: SessionSource,
  steps: Steps,
  role?: string,
) {
  const { schema } = sessions
  const connection = yield* openTurn(sessions)
  const standing = yield* readStanding(connection, schema)
  const refusal = refusalOfSchema(standing, schema)
  if (refusal !== undefined) return yield* refusal
  const grant = yield* granting(connection, role, schema)
  if (!standing.there) yield* send(connection, `CREATE SCHEMA ${schema.quoted}`)
  yield* send(connection, CREATE_TABLE)
  const done = yield* applied(connection, steps)
  yield* refuseSilent(connection, schema)
  const [first, ...later] = steps
  if (done.size === 0) yield* makeAll(connection, first, later, grant)
  const taken = done.size === 0 ? [] : later.filter(({ id }) => !done.has(id))
  yield* refuseOlder(connection, schema, besideOf(taken))
  for (const step of taken) yield* takeStep(connection, sessions, step, grant)
  if (!(yield* hasCommitFunction(connection, schema))) {
    const made = [...CREATE_COMMIT_FUNCTION, MARK_COMMIT_FUNCTION]
    yield* inTransaction(connection, Effect.andThen(sendAll(connection, made), grant))
  }
  yield* inTransaction(connection, Effect.andThen(send(connection, dropUnused(schema)), grant))
  return { taken: taken.map(({ name }) => name), beside: besideOf(steps) }
}, Effect.scoped)

/** Returns the oldest step at which another process's schema may end to work with all steps. */
const besideOf = (steps: ReadonlyArray<Step>): number =>
  Math.max(1, ...steps.map(({ beside }) => beside))
