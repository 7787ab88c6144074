import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import { COMMIT_FUNCTION, CREATE_COMMIT_FUNCTION } from "./commit/commitFunction.ts"
import { DatabaseUnusable } from "./DatabaseUnusable.ts"
import type { Step } from "./schema.ts"
import { grantsTo } from "./schema/privileges.ts"

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
  const { rows } = yield* connection.query(
    "SELECT to_regclass(quote_ident(current_schema()) || '.payport_migrations') AS earlier",
  )
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

const plain = (statements: ReadonlyArray<string>) => statements.map((sql) => [sql] as const)

const hasCommitFunction = Effect.fnUntraced(function* (connection: PgConnection.PgConnection) {
  const { rows } = yield* connection.query(
    "SELECT FROM pg_proc WHERE proname = $1 AND pronamespace = current_schema()::regnamespace",
    [COMMIT_FUNCTION],
  )
  return rows.length > 0
})

const noRole = (role: string) =>
  new DatabaseUnusable({
    message:
      `The role ${role} of PAYPORT_DATABASE_URL does not exist: make it, with CREATE ROLE … LOGIN` +
      " PASSWORD …, and start this again.",
  })

/** Gives the service's role its rights, and takes away what an earlier version gave besides. */
const grant = Effect.fnUntraced(function* (connection: PgConnection.PgConnection, role: string) {
  const { rows } = yield* connection.query(
    `SELECT current_schema() AS schema, session_user = $1 AS same,
      EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS known`,
    [role],
  )
  const [{ known, same, schema } = {}] = rows
  if (same === true) return
  if (known !== true) return yield* noRole(role)
  yield* inTransaction(connection, plain(grantsTo(role, String(schema))))
})

/**
 * Makes the schema, or brings it up to date, and makes the commit function of this version; the
 * role, if one is given, is granted what the service needs and nothing else. Each step is a
 * transaction; an advisory lock lets one process at a time look and act, and it ends with the
 * connection, whatever happens. The work has no time limit: a step may rewrite a large table.
 */
export const migrate = Effect.fnUntraced(function* (
  config: PgConnection.Config,
  steps: readonly [Step, ...ReadonlyArray<Step>],
  role?: string,
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
      ...plain(first.statements),
      ...steps.map(({ id, name }) => [RECORD, [id, name]] as const),
    ])
  }
  for (const { id, name, statements } of done.size === 0 ? [] : later) {
    if (done.has(id)) continue
    yield* inTransaction(connection, [...plain(statements), [RECORD, [id, name]]])
  }
  if (!(yield* hasCommitFunction(connection))) {
    yield* inTransaction(connection, plain(CREATE_COMMIT_FUNCTION))
  }
  if (role !== undefined) yield* grant(connection, role)
}, Effect.scoped)

/** Whether the role may change the schema, by name or by membership, and whether there is one. */
const STANDING = `SELECT session_user AS role, current_schema() AS schema,
    made IS NOT NULL AS made, creates,
    CASE WHEN made IS NULL THEN creates
      ELSE (SELECT pg_has_role(relowner, 'MEMBER') FROM pg_class WHERE oid = made) END AS owns
  FROM to_regclass(quote_ident(current_schema()) || '.payport_schema') AS made,
    coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS creates`

const noSchema = (role: string) =>
  new DatabaseUnusable({
    message:
      `The role ${role} finds no schema in the database: what its search path names is not there,` +
      " or closed to it. Make it, with CREATE SCHEMA …, and GRANT USAGE ON SCHEMA … to the role.",
  })

const behind = (role: string) =>
  new DatabaseUnusable({
    message:
      `The database's schema is not that of this version of payport, and the role ${role} may not` +
      " change it: run `node apps/server/main.ts migrate` with PAYPORT_MIGRATION_URL, the URL of" +
      " the role that owns it.",
  })

const ownsAll = (role: string) =>
  new DatabaseUnusable({
    message:
      `The role ${role} of PAYPORT_DATABASE_URL owns the database's tables, and could cut the` +
      " audit log: in live mode the service runs as a role that owns nothing. Run" +
      " `node apps/server/main.ts migrate` with PAYPORT_MIGRATION_URL, the URL of the owner.",
  })

const createsNames = (role: string) =>
  new DatabaseUnusable({
    message:
      `The role ${role} of PAYPORT_DATABASE_URL may create functions in the database's schema,` +
      " and functions with the owner's rights could call them: take that away, with REVOKE CREATE" +
      " ON SCHEMA … FROM PUBLIC or from the role that it has it by, and start this again.",
  })

/**
 * Makes sure that the schema is that of this version: it is brought up to date where the service's
 * own role may do that, and only looked at otherwise. Fails with `DatabaseUnusable` where it is
 * behind, and where a role that has to own nothing owns it, or could put names of its own before
 * those that its functions mean.
 */
export const prepareSchema = Effect.fnUntraced(function* (
  config: PgConnection.Config,
  steps: readonly [Step, ...ReadonlyArray<Step>],
  mustOwnNothing: boolean,
) {
  const connection = yield* PgConnection.make(config)
  const [{ creates, made, owns, role, schema } = {}] = (yield* connection.query(STANDING)).rows
  if (schema === null) return yield* noSchema(String(role))
  if (owns === true) {
    return yield* mustOwnNothing ? ownsAll(String(role)) : migrate(config, steps)
  }
  if (made !== true) return yield* behind(String(role))
  if (mustOwnNothing && creates === true) return yield* createsNames(String(role))
  const done = yield* applied(connection, steps)
  const isCurrent = steps.every(({ id }) => done.has(id)) && (yield* hasCommitFunction(connection))
  if (!isCurrent) return yield* behind(String(role))
}, Effect.scoped)
