import type { PgConnection } from "@effect/sql-pg"
import { Clock, Duration, Effect, Result } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { StoreUnavailable } from "../../core/ports/Store.ts"
import { holdCommitFunction } from "./commit/unusedFunctions.ts"
import type { ConnectionSettings } from "./ConnectionSettings.ts"
import { DatabaseUnusable, refusalOfVersion } from "./DatabaseUnusable.ts"
import { databaseError } from "./failures.ts"
import { poolMeasures } from "./measures.ts"
import { chooseSchema, DEFAULT_SCHEMA, type OurSchema, ourSchema } from "./OurSchema.ts"
import type { Connection, DatabaseConfig } from "./sessions/connectWith.ts"
import { makeOpen, noSession, type Session } from "./sessions/Session.ts"
import { refuseShared } from "./sessions/sharedSessions.ts"
import { type PoolOptions, SessionPool } from "./sessions/SessionPool.ts"
import type { Row } from "./tables/Table.ts"
import { sslOf } from "./tls.ts"

/** A lock is waited for this long before the server gives up. */
const LOCK_TIMEOUT = Duration.seconds(2)

/** A statement runs this long before the server gives up: a short one, and any. */
const SHORT = Duration.seconds(4)
const STATEMENT_TIMEOUT = Duration.seconds(10)

/** The server says that it has given up within so much more; after that its session is broken. */
const GRACE = Duration.seconds(2)

/** Waiting for the network goes by the world's time, also where the service's clock is moved. */
const realClock = Clock.Clock.defaultValue()

/** Makes timeouts and pauses of the effect real ones. */
export const inRealTime = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(effect, Clock.Clock, realClock)

const milliseconds = (duration: Duration.Duration): string => `${Duration.toMillis(duration)}ms`

const session = {
  lock_timeout: milliseconds(LOCK_TIMEOUT),
  statement_timeout: milliseconds(STATEMENT_TIMEOUT),
  idle_in_transaction_session_timeout: milliseconds(STATEMENT_TIMEOUT),
  TimeZone: "UTC",
  jit: "off",
  // What a session holds, such as its turn at the audit log, is free within a minute of the end of
  // a machine that could not say goodbye.
  tcp_keepalives_idle: "30",
  tcp_keepalives_interval: "10",
  tcp_keepalives_count: "3",
}

/**
 * Every question has its index. Plans that were made while a table was small or not yet analysed
 * must not become the habit of a connection that lives for weeks.
 */
const byIndex = { enable_seqscan: "off" }

/** Four kinds of session with one database; the listener's is opened by `listen`. */
export interface Database {
  readonly schema: OurSchema
  readonly listen: Effect.Effect<Session, SqlError>
  /** Short reads, many at a time on each connection. */
  readonly reads: SessionPool
  /** Longer reads and upkeep, one at a time on each connection. */
  readonly work: SessionPool
  /** The one connection that commits travel on. */
  readonly commits: SessionPool
  /** What holds a lock from one statement to the next. */
  readonly sessions: SessionPool
  /** The one that requests of rate windows are taken on: they wait for nothing longer. */
  readonly leases: SessionPool
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
  startupParameters: session,
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

/** Looks whether a server can be used at all, and which. */
const look = Effect.fnUntraced(function* (config: DatabaseConfig, settings: ConnectionSettings) {
  const open = makeOpen(config, serversOf(settings))
  const { targetSession } = settings
  const opened = Effect.acquireRelease(
    open({}, targetSession === "read-write" ? targetSession : "primary"),
    ({ close }) => Effect.sync(() => close(false)),
  )
  const { connection, isDirect, place } = yield* opened
  const { rows } = yield* connection.query("SHOW server_version_num")
  const refusal = refusalOfVersion(Number(rows[0]?.["server_version_num"]))
  if (refusal !== undefined) return yield* refusal
  if (!isDirect) yield* refuseShared(connection, (yield* opened).connection)
  return { ...config, ...place, schema: yield* findSchema(connection, settings.schema) }
}, Effect.scoped)

/**
 * The connection of a session, with the limits of its statements, once it has been made: that shows
 * which server can be used, if any, and with `prefer`, whether it knows TLS.
 */
export const configOf: (
  settings: ConnectionSettings,
) => Effect.Effect<DatabaseConfig, SqlError | DatabaseUnusable> = Effect.fnUntraced(
  function* (settings) {
    const config = configWith(settings, yield* sslOf(settings))
    const tried = look(config, settings)
    if (settings.tls?.mode !== "prefer") return yield* tried
    return yield* Effect.catchIf(tried, isWithoutTls, () =>
      look({ ...config, ssl: false }, settings),
    )
  },
)

/** The same for work on all of a table, which takes as long as it takes. */
export const withoutTimeLimit = (config: DatabaseConfig): DatabaseConfig => ({
  ...config,
  startupParameters: {
    ...config.startupParameters,
    statement_timeout: "0",
    idle_in_transaction_session_timeout: "0",
  },
})

/** A session for commits says which commit function it calls, so that no migration drops it. */
const holding = (opened: Session, schema: OurSchema): Effect.Effect<Session, SqlError> =>
  opened.connection.query(holdCommitFunction(schema), [], false).pipe(
    Effect.flatMap(({ rows }) =>
      rows[0]?.["is_there"] === true
        ? Effect.succeed(opened)
        : Effect.fail(
            noSession("42883", "A migration has dropped the commit function: start payport again."),
          ),
    ),
    Effect.tapCause(() => Effect.sync(() => opened.close(true))),
  )

/** The statements of a pool, and how long one may take. */
const limited = (statement: Duration.Duration, parameters: object) => ({
  startupParameters: { ...session, statement_timeout: milliseconds(statement), ...parameters },
})

const silenceAfter = (statement: Duration.Duration): number =>
  Duration.toMillis(Duration.sum(statement, GRACE))

const GENERIC = { ...byIndex, plan_cache_mode: "force_generic_plan" }

/** Opens the pools on a database whose schema is there. */
export const openDatabase = Effect.fnUntraced(function* (
  settings: ConnectionSettings,
  config: DatabaseConfig,
) {
  const { schema } = config
  const opening = makeOpen(config, serversOf(settings))
  const open: typeof opening = (more, role) => inRealTime(opening(more, role))
  const pools: Array<SessionPool> = []
  const onReadOnly = () => pools.forEach((pool) => pool.renew())

  const pool = Effect.fnUntraced(function* (
    name: string,
    statement: Duration.Duration,
    more: PgConnection.Config,
    sizes: Pick<PoolOptions, "most" | "least" | "shared">,
  ) {
    const role = more.multiplex === true ? "primary" : "read-write"
    const made = yield* SessionPool.make({
      ...sizes,
      open:
        name === "commits"
          ? Effect.flatMap(open(more, role), (opened) => holding(opened, schema))
          : open(more, role),
      silence: silenceAfter(statement),
      measures: poolMeasures(name),
      onReadOnly,
    })
    pools.push(made)
    return made
  })

  const commits = yield* pool("commits", SHORT, limited(SHORT, GENERIC), { most: 1, least: 1 })
  const database: Database = {
    schema,
    listen: open({}, "primary"),
    reads: yield* pool(
      "reads",
      SHORT,
      { multiplex: true, ...limited(SHORT, byIndex) },
      { most: settings.readConnections ?? 2, least: 1, shared: 32 },
    ),
    work: yield* pool(
      "work",
      STATEMENT_TIMEOUT,
      limited(STATEMENT_TIMEOUT, { random_page_cost: "1.1" }),
      {
        most: settings.workConnections ?? 4,
      },
    ),
    commits,
    sessions: commits,
    leases: yield* pool("leases", SHORT, limited(SHORT, GENERIC), { most: 1 }),
  }
  return database
})

const send = (pool: SessionPool, sql: string, parameters: ReadonlyArray<unknown>) =>
  Effect.map(
    pool.use((connection) => connection.query(sql, parameters)),
    ({ rows }): ReadonlyArray<Row> => rows,
  )

const isLost = ({ reason }: SqlError): boolean =>
  reason._tag === "ConnectionError" && reason.operation !== "connect"

/**
 * The rows that a question finds. When the connection breaks meanwhile, the question is asked once
 * more on another.
 */
export const ask = (
  pool: SessionPool,
  sql: string,
  parameters: ReadonlyArray<unknown>,
): Effect.Effect<ReadonlyArray<Row>, StoreUnavailable> => {
  const once = send(pool, sql, parameters)
  return once.pipe(
    Effect.catchIf(isLost, () => once),
    Effect.mapError(
      (error) => new StoreUnavailable({ outcome: "not_stored", cause: databaseError(error) }),
    ),
  )
}

/** The rows of a statement that changes something, sent once. */
export const run = (
  pool: SessionPool,
  sql: string,
  parameters: ReadonlyArray<unknown>,
): Effect.Effect<ReadonlyArray<Row>, StoreUnavailable> =>
  Effect.mapError(
    send(pool, sql, parameters),
    (error) =>
      new StoreUnavailable({
        outcome: isLost(error) ? "unknown" : "not_stored",
        cause: databaseError(error),
      }),
  )
