import type { PgConnection } from "@effect/sql-pg"
import { Duration, Effect, Result, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { ConnectionSettings } from "./ConnectionSettings.ts"
import { DatabaseUnusable, refusalOfVersion } from "./DatabaseUnusable.ts"
import { chooseSchema, DEFAULT_SCHEMA, type OurSchema, ourSchema } from "./OurSchema.ts"
import { type Connection, connectWith, type DatabaseConfig } from "./sessions/connectWith.ts"
import { borrow, type HostPool } from "./sessions/HostPool.ts"
import { SESSION_SETTINGS } from "./sessions/limits.ts"
import { makeOpen, type ServerRole, type Session } from "./sessions/Session.ts"
import { areSessionsShared } from "./sessions/sharedSessions.ts"
import { sslOf } from "./tls.ts"

/** A database that is reached over a host's pool. The host closes the pool. */
export interface HostSettings extends Pick<
  ConnectionSettings,
  "schema" | "direct" | "replicas" | "readConnections" | "workConnections"
> {
  readonly pool: HostPool
}

/** How to reach a database: by our own connections, or over a host's pool. */
export type DatabaseSettings = ConnectionSettings | HostSettings

/** Opens sessions with the database. */
export interface SessionSource {
  readonly schema: OurSchema
  /** Whether a session goes back to a host's pool as soon as it is idle. */
  readonly isBorrowed: boolean
  /** Opens a session for a pool, which closes it. */
  readonly open: (more: PgConnection.Config, role: ServerRole) => Effect.Effect<Session, SqlError>
  /** Opens a session until the scope closes. Its settings may be changed. */
  readonly connect: Effect.Effect<Connection, SqlError, Scope.Scope>
}

/** Access to a usable database with a known schema. */
export interface Access {
  /** Sessions for single statements. */
  readonly statements: SessionSource
  /** Sessions for work that needs its own session: locks, LISTEN, migrations. */
  readonly sessions: SessionSource
  /**
   * Whether other clients share the sessions for statements. No setting, prepared statement, lock
   * or temporary table of ours stays in a shared session.
   */
  readonly isShared: boolean
}

const configWith = (
  settings: ConnectionSettings,
  ssl: PgConnection.Config["ssl"],
): DatabaseConfig => ({
  schema: ourSchema(settings.schema ?? DEFAULT_SCHEMA),
  host: settings.host,
  port: settings.port,
  database: settings.database,
  username: settings.username,
  password: settings.password,
  ssl,
  applicationName: settings.applicationName ?? "payport",
  connectTimeout: settings.connectTimeout && Duration.seconds(settings.connectTimeout),
  startupOptions: settings.startupOptions,
  startupParameters: SESSION_SETTINGS,
})

const isWithoutTls = (error: SqlError | DatabaseUnusable): boolean =>
  error._tag === "SqlError" && error.reason.message.endsWith("Server refused TLS")

/** The servers of the database, in the order in which they are tried. */
const serversOf = ({ host = "localhost", otherServers = [], port = 5432 }: ConnectionSettings) =>
  [{ host, port }, ...otherServers] as const

/** The schemas that hold a payport, including those whose tables the role cannot see. */
const PAYPORTS = `SELECT nspname AS name FROM pg_namespace
  JOIN pg_class ON relnamespace = pg_namespace.oid AND relkind = 'r'
  WHERE relname IN ('payport_schema', 'payport_migrations') ORDER BY nspname`

/** Finds the schema that the settings mean. */
const findSchema = Effect.fnUntraced(function* (connection: Connection, wanted?: string) {
  const { rows } = yield* connection.query(PAYPORTS, [], false)
  const found = rows.map(({ name }) => String(name))
  const chosen = chooseSchema(wanted, [...new Set(found)])
  if (Result.isSuccess(chosen)) return ourSchema(chosen.success)
  return yield* new DatabaseUnusable({ message: chosen.failure })
})

const refuseVersion = Effect.fnUntraced(function* (connection: Connection) {
  const { rows } = yield* connection.query("SHOW server_version_num", [], false)
  const refusal = refusalOfVersion(Number(rows[0]?.["server_version_num"]))
  if (refusal !== undefined) return yield* refusal
})

const sharedSessions = new DatabaseUnusable({
  message:
    "The database is reached through a pooler that shares sessions between its clients, such as" +
    " PgBouncer with pool_mode=transaction. LISTEN, advisory locks and migrations need sessions" +
    " of their own. Set PAYPORT_DATABASE_DIRECT_URL (directUrl) to PostgreSQL itself in addition," +
    " or use pool_mode=session.",
})

/** The connection settings that remain if other clients share the sessions. */
const STATELESS = { startupParameters: {}, prepare: false } as const

/** Finds the server to use. Fails if no server can be used. */
const look = Effect.fnUntraced(function* (
  config: DatabaseConfig,
  settings: ConnectionSettings,
  role: ServerRole,
) {
  const { direct, schema } = settings
  const probing = direct === undefined ? config : { ...config, ...STATELESS }
  const open = makeOpen(probing, serversOf(settings))
  const opened = Effect.acquireRelease(open({}, role), ({ close }) =>
    Effect.sync(() => close(false)),
  )
  const { connection, isDirect, place } = yield* opened
  yield* refuseVersion(connection)
  const isShared = !isDirect && (yield* areSessionsShared(connection, (yield* opened).connection))
  if (isShared && direct === undefined) return yield* sharedSessions
  const found = yield* findSchema(connection, schema)
  return { ...config, ...place, ...(isShared ? STATELESS : {}), schema: found }
}, Effect.scoped)

/**
 * Connects once and returns the settings for sessions, with the time limits of statements. The
 * connection shows which server can be used and, with `prefer`, whether it supports TLS. If a
 * pooler shares the sessions and the server itself is named as well, sessions keep no state.
 */
export const configOf: (
  settings: ConnectionSettings,
  role?: ServerRole,
) => Effect.Effect<DatabaseConfig, SqlError | DatabaseUnusable> = Effect.fnUntraced(function* (
  settings,
  role = settings.targetSession === "read-write" ? "read-write" : "primary",
) {
  const config = configWith(settings, yield* sslOf(settings))
  const tried = look(config, settings, role)
  if (settings.tls?.mode !== "prefer") return yield* tried
  return yield* Effect.catchIf(tried, isWithoutTls, () =>
    look({ ...config, ssl: false }, settings, role),
  )
})

/** Returns the settings without time limits, for work on whole tables. */
export const withoutTimeLimit = (config: DatabaseConfig): DatabaseConfig => ({
  ...config,
  startupParameters: {
    ...config.startupParameters,
    statement_timeout: "0",
    idle_in_transaction_session_timeout: "0",
  },
})

/** Opens our own sessions with a usable server. */
export const ownSessions = (
  config: DatabaseConfig,
  settings: ConnectionSettings,
): SessionSource => ({
  schema: config.schema,
  isBorrowed: false,
  open: makeOpen(config, serversOf(settings)),
  connect: Effect.map(connectWith(config), ({ connection }) => connection),
})

/** Opens sessions with the server itself, if the other settings lead to a pooler. */
const directSessions = Effect.fnUntraced(function* (direct: ConnectionSettings, schema: OurSchema) {
  const settings = { ...direct, schema: schema.name }
  return ownSessions(yield* configOf(settings), settings)
})

/** Opens sessions with a replica. The schema is known. */
export const replicaSessions = Effect.fnUntraced(function* (
  replica: ConnectionSettings,
  schema: OurSchema,
) {
  const settings = { ...replica, schema: schema.name }
  return ownSessions(yield* configOf(settings, "any"), settings)
})

/** Identifies the database of one running server. */
const PLACE = `SELECT current_database() || ' ' || pg_postmaster_start_time() AS place`

const refuseOther = Effect.fnUntraced(function* (one: SessionSource, other: SessionSource) {
  const [here, there] = yield* Effect.forEach([one, other], ({ connect }) =>
    Effect.flatMap(connect, (connection) => connection.query(PLACE, [], false)),
  )
  if (here?.rows[0]?.["place"] === there?.rows[0]?.["place"]) return
  return yield* new DatabaseUnusable({
    message:
      "PAYPORT_DATABASE_DIRECT_URL (directUrl) leads to another database than the pooler or the" +
      " pool. Both have to lead to the same database of the same server.",
  })
}, Effect.scoped)

const smallPool = new DatabaseUnusable({
  message:
    "The pool gives payport only one connection. payport needs at least two, of which one" +
    " listens, and five or more to work well. Make the pool larger (max), or set directUrl to the" +
    " server, so that payport listens on connections of its own.",
})

const otherDateStyle = new DatabaseUnusable({
  message:
    "The pool's connections do not write times in ISO 8601. Remove the DateStyle setting of the" +
    " role and of the database.",
})

/** Checks whether a host's pool can be used, alone or beside a direct connection. */
const lookAtPool = Effect.fnUntraced(function* ({ direct, pool, schema }: HostSettings) {
  const none = ourSchema(DEFAULT_SCHEMA)
  const opened = Effect.acquireRelease(borrow(pool, none, true), ({ close }) =>
    Effect.sync(() => close(false)),
  )
  const { connection } = yield* opened
  yield* refuseVersion(connection)
  const { rows } = yield* connection.query("SHOW DateStyle", [], false)
  if (!String(rows[0]?.["DateStyle"]).startsWith("ISO")) return yield* otherDateStyle
  if (direct === undefined) {
    const second = yield* Effect.mapError(opened, (error) => (isUsedUp(error) ? smallPool : error))
    if (yield* areSessionsShared(connection, second.connection)) return yield* sharedSessions
  }
  return yield* findSchema(connection, schema)
}, Effect.scoped)

const isUsedUp = ({ reason }: SqlError): boolean => reason.operation === "connect"

/** Borrows sessions from a host's pool. */
const hostSessions = (pool: HostPool, schema: OurSchema, keeps: boolean): SessionSource => ({
  schema,
  isBorrowed: true,
  open: () => borrow(pool, schema, keeps),
  connect: Effect.map(
    Effect.acquireRelease(borrow(pool, schema, keeps), ({ close }) =>
      Effect.sync(() => close(false)),
    ),
    ({ connection }) => connection,
  ),
})

/** Inspects the database without changing it, and returns how to access it. */
export const accessTo = Effect.fnUntraced(function* (settings: DatabaseSettings) {
  const { direct } = settings
  if ("pool" in settings) {
    const schema = yield* lookAtPool(settings)
    const statements = hostSessions(settings.pool, schema, true)
    const sessions =
      direct === undefined
        ? hostSessions(settings.pool, schema, false)
        : yield* directSessions(direct, schema)
    if (direct !== undefined) yield* refuseOther(statements, sessions)
    const access: Access = { statements, sessions, isShared: true }
    return access
  }
  const config = yield* configOf(settings)
  const statements = ownSessions(config, settings)
  const isShared = config.prepare === false
  const sessions = direct === undefined ? statements : yield* directSessions(direct, config.schema)
  if (direct !== undefined) yield* refuseOther(statements, sessions)
  const access: Access = { statements, sessions, isShared }
  return access
})
