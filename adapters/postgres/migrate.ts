import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import { COMMIT_FUNCTION, CREATE_COMMIT_FUNCTION } from "./commit/commitFunction.ts"
import { DatabaseUnusable } from "./database.ts"
import type { Migration } from "./migrations/Migration.ts"

/** Any number that nothing else on the database uses as an advisory lock. */
const MIGRATION_LOCK = 7_296_015_431

const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS payport_migrations (
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

const applied = Effect.fnUntraced(function* (
  connection: PgConnection.PgConnection,
  migrations: ReadonlyArray<Migration>,
) {
  const { rows } = yield* connection.query(`SELECT id, name FROM payport_migrations ORDER BY id`)
  const known = new Map(migrations.map(({ id, name }) => [id, name]))
  for (const { id, name } of rows) {
    if (known.get(id as number) === name) continue
    return yield* new DatabaseUnusable({
      message:
        `The database has the migration ${String(id)} (${String(name)}), which this version` +
        ` of payport does not know: it ends at ${migrations.at(-1)?.id ?? 0}. A newer version has` +
        " used the database; start that one, or a newer one still.",
    })
  }
  return new Set(rows.map(({ id }) => id as number))
})

/**
 * Brings the schema up to date and makes the commit function of this version. Each step is a
 * transaction; an advisory lock lets one process at a time look and act, and it ends with the
 * connection, whatever happens. The work has no time limit: a step may rewrite a large table.
 */
export const migrate = Effect.fnUntraced(function* (
  config: PgConnection.Config,
  migrations: ReadonlyArray<Migration>,
) {
  const connection = yield* PgConnection.make({
    ...config,
    startupParameters: { ...config.startupParameters, lock_timeout: "0", statement_timeout: "0" },
  })
  yield* connection.query(`SELECT pg_advisory_lock($1::bigint)`, [MIGRATION_LOCK])
  yield* connection.query(CREATE_TABLE)
  const done = yield* applied(connection, migrations)
  for (const { id, name, statements } of migrations) {
    if (done.has(id)) continue
    yield* inTransaction(connection, [
      ...statements.map((sql) => [sql] as const),
      [`INSERT INTO payport_migrations (id, name) VALUES ($1, $2)`, [id, name]],
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
