import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import { COMMIT_FUNCTION, CREATE_COMMIT_FUNCTION } from "./commit/commitFunction.ts"
import { DatabaseUnusable } from "./database.ts"
import type { Step } from "./schema.ts"

/** Any number that nothing else on the database uses as an advisory lock. */
const MIGRATION_LOCK = 7_296_015_431

const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS payport_schema (
  id integer PRIMARY KEY,
  name text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now()
)`

const inTransaction = (
  connection: PgConnection.PgConnection,
  statements: ReadonlyArray<readonly [sql: string, parameters?: ReadonlyArray<unknown>]>,
) =>
  Effect.forEach(
    [["BEGIN"] as const, ...statements, ["COMMIT"] as const],
    ([sql, parameters = []]) => connection.query(sql, parameters, false),
    { discard: true },
  )

/** A database of a version from before the first release holds this instead. */
const refuseEarlier = Effect.fnUntraced(function* (connection: PgConnection.PgConnection) {
  const { rows } = yield* connection.query("SELECT to_regclass('payport_migrations') AS earlier")
  if (rows[0]?.["earlier"] === null) return
  return yield* new DatabaseUnusable({
    message:
      "The database was made by an earlier payport, whose tables this one does not read: delete" +
      " the data folder, or use a new database.",
  })
})

const applied = Effect.fnUntraced(function* (
  connection: PgConnection.PgConnection,
  steps: ReadonlyArray<Step>,
) {
  const { rows } = yield* connection.query(`SELECT id, name FROM payport_schema ORDER BY id`)
  const known = new Map(steps.map(({ id, name }) => [id, name]))
  for (const { id, name } of rows) {
    if (known.get(id as number) === name) continue
    return yield* new DatabaseUnusable({
      message:
        `The database has the step ${String(id)} (${String(name)}) of its schema, which this` +
        ` version of payport does not know: it ends at ${steps.at(-1)?.id ?? 0}. A newer version` +
        " has used the database; start that one, or a newer one still.",
    })
  }
  return new Set(rows.map(({ id }) => id as number))
})

const RECORD = `INSERT INTO payport_schema (id, name) VALUES ($1, $2)`

/**
 * Makes the schema, or brings it up to date, and makes the commit function of this version. Each
 * step is a transaction; an advisory lock lets one process at a time look and act, and it ends with
 * the connection, whatever happens. The work has no time limit: a step may rewrite a large table.
 */
export const migrate = Effect.fnUntraced(function* (
  config: PgConnection.Config,
  steps: readonly [Step, ...ReadonlyArray<Step>],
) {
  const connection = yield* PgConnection.make({
    ...config,
    startupParameters: { ...config.startupParameters, lock_timeout: "0", statement_timeout: "0" },
  })
  yield* connection.query(`SELECT pg_advisory_lock($1::bigint)`, [MIGRATION_LOCK])
  yield* refuseEarlier(connection)
  yield* connection.query(CREATE_TABLE)
  const done = yield* applied(connection, steps)
  const [first, ...later] = steps
  if (done.size === 0) {
    yield* inTransaction(connection, [
      ...first.statements.map((sql) => [sql] as const),
      ...steps.map(({ id, name }) => [RECORD, [id, name]] as const),
    ])
  }
  for (const { id, name, statements } of done.size === 0 ? [] : later) {
    if (done.has(id)) continue
    yield* inTransaction(connection, [
      ...statements.map((sql) => [sql] as const),
      [RECORD, [id, name]],
    ])
  }
  const { rows } = yield* connection.query(`SELECT FROM pg_proc WHERE proname = $1`, [
    COMMIT_FUNCTION,
  ])
  if (rows.length === 0) {
    yield* inTransaction(
      connection,
      CREATE_COMMIT_FUNCTION.map((sql) => [sql] as const),
    )
  }
}, Effect.scoped)
