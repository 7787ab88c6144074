import { Effect, Schedule, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { SessionSource } from "./access.ts"
import { creating, type OnlinePart, validating } from "./schema/Step.ts"
import type { Connection } from "./sessions/connectWith.ts"

type IndexPart = Extract<OnlinePart, { readonly index: string }>

const stateOf = ({ index }: IndexPart): string =>
  `SELECT indisvalid AS ready FROM pg_index WHERE indexrelid = to_regclass('payport.${index}')`

const ruleState = ({ on, rule }: Exclude<OnlinePart, IndexPart>): string =>
  `SELECT convalidated AS ready FROM pg_constraint
    WHERE conrelid = to_regclass('payport.${on}') AND conname = '${rule}'`

/**
 * Returns the statements that remain. A crashed attempt leaves an index that is invalid: writers
 * keep it, nobody reads it, and `IF NOT EXISTS` would take it for the wanted one.
 */
const remaining = (part: OnlinePart, ready: unknown): ReadonlyArray<string> => {
  if (ready === true) return []
  if ("rule" in part) return [validating(part)]
  const dropped = `DROP INDEX CONCURRENTLY IF EXISTS payport.${part.index}`
  const made = creating(part, "CONCURRENTLY IF NOT EXISTS ")
  return ready === false ? [dropped, made] : [made]
}

/** How often it is looked for whom a statement waits. */
const LOOK_EVERY = "3 seconds"

/** The sessions for which one waits. This role may not see everything of others. */
const blockersOf = (pid: number): string => `SELECT pid, application_name AS name, state,
    extract(epoch FROM now() - xact_start)::int AS seconds
  FROM unnest(pg_blocking_pids(${pid})) AS pid LEFT JOIN pg_stat_activity USING (pid)
  ORDER BY xact_start LIMIT 5`

/** Logs every few seconds for whom the session waits. It is busy, so another one looks. */
const tellBlockers = (connect: SessionSource["connect"], pid: number) =>
  Effect.scoped(
    Effect.flatMap(connect, (connection) => connection.query(blockersOf(pid), [], false)),
  ).pipe(
    Effect.flatMap(({ rows }) =>
      rows.length === 0
        ? Effect.void
        : Effect.logWarning(
            "The migration is waiting for these sessions. It goes on once their transactions end.",
            { waits_for: rows },
          ),
    ),
    Effect.ignore,
    Effect.delay(LOOK_EVERY),
    Effect.repeat(Schedule.forever),
  )

/**
 * Makes the part unless it is there. Each statement waits for older transactions, and nobody waits
 * behind it: it therefore has no limit for locks, after which it would begin anew. Writers go on.
 */
export const makeOnline = Effect.fnUntraced(function* (
  connection: Connection,
  { connect }: Pick<SessionSource, "connect">,
  part: OnlinePart,
  lockTimeout: string,
): Effect.fn.Return<void, SqlError, Scope.Scope> {
  const ask = (sql: string) => connection.query(sql, [], false)
  const { rows } = yield* ask("rule" in part ? ruleState(part) : stateOf(part))
  const statements = remaining(part, rows[0]?.["ready"])
  if (statements.length === 0) return
  const { rows: self } = yield* ask("SELECT pg_backend_pid() AS pid")
  yield* Effect.forkScoped(tellBlockers(connect, Number(self[0]?.["pid"])))
  yield* ask("SET lock_timeout = 0")
  for (const sql of statements) yield* ask(sql)
  yield* ask(`SET lock_timeout = '${lockTimeout}'`)
}, Effect.scoped)
