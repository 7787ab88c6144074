import { Effect, Schedule } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { lockOfFunction } from "./commit/unusedFunctions.ts"
import { DatabaseUnusable } from "./DatabaseUnusable.ts"
import type { OurSchema } from "./OurSchema.ts"
import { STEPS } from "./schema.ts"
import type { Connection } from "./sessions/connectWith.ts"

/** The advisory lock of a process whose schema ends at step 0. That of step n is n higher. */
export const RUNNING = 7_296_100_000

const lastStep = STEPS.at(-1)?.id ?? 0

/**
 * Announces until the session ends that a process of this version runs. Answers false while a
 * migration runs beside which it must not run.
 */
export const announceProcess = ({ lock }: OurSchema): string =>
  `SELECT pg_try_advisory_lock_shared(${lock(RUNNING + lastStep)}) AS announced`

/** Answers whether this version may run on the schema. The process must be announced before. */
export const MAY_RUN = `SELECT NOT EXISTS
  (SELECT FROM payport.payport_schema WHERE beside > ${lastStep}) AS may_run`

/** Keeps older processes away until the session ends. Answers the steps of those that run. */
const keepAway = ({ lock }: OurSchema, beside: number): string =>
  `SELECT step FROM generate_series(1, ${beside - 1}) AS step
    WHERE NOT pg_try_advisory_lock(${lock(RUNNING)} + step)`

/**
 * Finds the sessions of processes that are older than a step. Processes from before announcements
 * hold the lock of their commit function. Their step is unknown.
 */
const olderThan = ({ lock, number, quoted }: OurSchema, beside: number): string => {
  const { key, kind } = lockOfFunction("proname", number)
  return `WITH held AS (
      SELECT pid, objsubid, classid::bigint AS class, objid::bigint AS object,
        (classid::bigint << 32) + objid::bigint - ${lock(RUNNING)} AS step
      FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock' AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())),
    announced AS (SELECT pid, step FROM held WHERE objsubid = 1 AND step BETWEEN 1 AND 1000000),
    silent AS (SELECT pid FROM held WHERE objsubid = 2 AND class = ${kind} AND object IN (
      SELECT (${key})::bigint & 4294967295 FROM pg_proc
        WHERE pronamespace = '${quoted}'::regnamespace
          AND proname ~ '^payport_commit_[0-9a-f]{16}$')),
    older AS (
      SELECT pid, step FROM announced WHERE step < ${beside}
      UNION SELECT pid, NULL FROM silent WHERE pid NOT IN (SELECT pid FROM announced))
    SELECT DISTINCT older.pid, step, application_name AS name, usename AS role
      FROM older LEFT JOIN pg_stat_activity USING (pid) ORDER BY older.pid`
}

/** The most processes that a message names. */
const MOST_NAMED = 5

const lookForOlder = Effect.fnUntraced(function* (
  connection: Connection,
  schema: OurSchema,
  beside: number,
): Effect.fn.Return<void, SqlError | DatabaseUnusable> {
  if (beside <= 1) return
  const ask = (sql: string) => connection.query(sql, [], false)
  const { rows: met } = yield* ask(keepAway(schema, beside))
  const { rows: found } = yield* ask(olderThan(schema, beside))
  if (met.length === 0 && found.length === 0) return
  const named = found.slice(0, MOST_NAMED).map(({ name, pid, role, step }) => {
    const until = step === null ? "" : `, schema step ${Number(step)}`
    return `${String(name)} (pid ${String(pid)} of the server, role ${String(role)}${until})`
  })
  const more = found.length > MOST_NAMED ? [`${found.length - MOST_NAMED} more`] : []
  return yield* new DatabaseUnusable({
    message:
      "The migration has changed nothing, because processes of an older payport are running that" +
      ` would not work beside it: ${[...named, ...more].join(", ") || "one that just ended"}.` +
      " Stop them, and run it again. Only processes whose schema ends at step" +
      ` ${beside} or later may go on running.`,
  })
})

/** A process that has just been stopped may still have a session at the server. */
const GRACE = { times: 20, schedule: Schedule.spaced("250 millis") }

/**
 * Keeps processes whose schema ends before the step `beside` away until the session ends. Fails
 * with `DatabaseUnusable`, which says who is running, if there are any after some seconds.
 */
export const refuseOlder = (
  connection: Connection,
  schema: OurSchema,
  beside: number,
): Effect.Effect<void, SqlError | DatabaseUnusable> =>
  Effect.retry(lookForOlder(connection, schema, beside), {
    while: ({ _tag }) => _tag === "DatabaseUnusable",
    ...GRACE,
  })
