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

/** A database that is reached over the pool of whoever embeds payport, who also closes it. */
export interface HostSettings extends Pick<
  ConnectionSettings,
  "schema" | "direct" | "replicas" | "readConnections" | "workConnections"
> {
  readonly pool: HostPool
}

/** How to reach a database: by connections of our own, or over a host's pool. */
export type DatabaseSettings = ConnectionSettings | HostSettings

/** Where sessions come from. */
export interface SessionSource {
  readonly schema: OurSchema
  /** Whether each goes back to a host's pool as soon as nobody uses it. */
  readonly isBorrowed: boolean
  /** One for a pool, which closes it. */
  readonly open: (more: PgConnection.Config, role: ServerRole) => Effect.Effect<Session, SqlError>
  /** One until the scope closes, whose settings may be changed. */
  readonly connect: Effect.Effect<Connection, SqlError, Scope.Scope>
}

/** A database that can be used, with its schema known. */
export interface Access {
  /** What needs no more than a statement at a time. */
  readonly statements: SessionSource
  /** What needs a session: locks, LISTEN, migrations. */
  readonly sessions: SessionSource
  /**
   * Whether statements travel on sessions that are somebody's besides: no setting, prepared
   * statement, lock or temporary table of ours stays there.
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

/** The schemas that hold a payport, whoever sees their tables. */
const PAYPORTS = `SELECT nspname AS name FROM pg_namespace
  JOIN pg_class ON relnamespace = pg_namespace.oid AND relkind = 'r'
  WHERE relname IN ('payport_schema', 'payport_migrations') ORDER BY nspname`

/** Which schema the settings mean. */
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
    " PgBouncer with pool_mode=transaction: LISTEN, advisory locks and migrations need sessions" +
    " of their own, which no version of it gives there. Name PostgreSQL itself besides, by" +
    " PAYPORT_DATABASE_DIRECT_URL (directUrl), or take pool_mode=session.",
})

/** What is left of a connection's settings where its sessions are somebody's besides. */
const STATELESS = { startupParameters: {}, prepare: false } as const

/** Looks whether a server can be used at all, and which. */
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
 * The connection of a session, with the limits of its statements, once it has been made: that shows
 * which server can be used, if any, and with `prefer`, whether it knows TLS. Where a pooler shares
 * its sessions, and the server itself is named besides, nothing is kept in them.
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

/** The same for work on all of a table, which takes as long as it takes. */
export const withoutTimeLimit = (config: DatabaseConfig): DatabaseConfig => ({
  ...config,
  startupParameters: {
    ...config.startupParameters,
    statement_timeout: "0",
    idle_in_transaction_session_timeout: "0",
  },
})

/** Sessions of our own, with a server that can be used. */
export const ownSessions = (
  config: DatabaseConfig,
  settings: ConnectionSettings,
): SessionSource => ({
  schema: config.schema,
  isBorrowed: false,
  open: makeOpen(config, serversOf(settings)),
  connect: Effect.map(connectWith(config), ({ connection }) => connection),
})

/** Sessions with the server itself, beside the settings that lead to a pooler. */
const directSessions = Effect.fnUntraced(function* (direct: ConnectionSettings, schema: OurSchema) {
  const settings = { ...direct, schema: schema.name }
  return ownSessions(yield* configOf(settings), settings)
})

/** Sessions with a server that follows the primary, whose schema is known. */
export const replicaSessions = Effect.fnUntraced(function* (
  replica: ConnectionSettings,
  schema: OurSchema,
) {
  const settings = { ...replica, schema: schema.name }
  return ownSessions(yield* configOf(settings, "any"), settings)
})

/** Tells one running server's database from every other. */
const PLACE = `SELECT current_database() || ' ' || pg_postmaster_start_time() AS place`

const refuseOther = Effect.fnUntraced(function* (one: SessionSource, other: SessionSource) {
  const [here, there] = yield* Effect.forEach([one, other], ({ connect }) =>
    Effect.flatMap(connect, (connection) => connection.query(PLACE, [], false)),
  )
  if (here?.rows[0]?.["place"] === there?.rows[0]?.["place"]) return
  return yield* new DatabaseUnusable({
    message:
      "PAYPORT_DATABASE_DIRECT_URL (directUrl) leads to another database than the pooler or the" +
      " pool: both have to name the same database of the same server.",
  })
}, Effect.scoped)

const smallPool = new DatabaseUnusable({
  message:
    "The pool lends no second connection while payport holds one: it needs two at least, of which" +
    " one listens, and five or more to work well. Make the pool larger (max), or name the server" +
    " by directUrl, with which payport listens on connections of its own.",
})

const otherDateStyle = new DatabaseUnusable({
  message:
    "The pool's connections do not write times as ISO 8601 has it: leave DateStyle of the role" +
    " and of the database as it is by default.",
})

/** Looks whether a host's pool can be used, alone or beside a direct connection. */
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

/** Sessions that a host's pool lends. */
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

/** Looks at the database, which changes nothing, and says how it is used. */
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
