import { PgConnection, PgPool } from "@effect/sql-pg"
import { Clock, Data, Duration, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { StoreUnavailable } from "../../core/ports/Store.ts"
import type { ConnectionSettings } from "./ConnectionSettings.ts"
import { type DatabaseUnusable, refusalOfVersion } from "./DatabaseUnusable.ts"
import { type DatabaseError, databaseError } from "./failures.ts"
import { measured } from "./measures.ts"
import type { Row } from "./tables/Table.ts"
import { sslOf } from "./tls.ts"

/** A lock is waited for this long, and a statement runs this long, before the server gives up. */
const LOCK_TIMEOUT = Duration.seconds(2)
const STATEMENT_TIMEOUT = Duration.seconds(10)

/** A connection that has not answered by then is broken, since the server would have given up. */
export const ANSWER_TIMEOUT = Duration.seconds(15)

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

/** Four kinds of session with one database; the listener's is made from `config`. */
export interface Database {
  readonly config: PgConnection.Config
  /** Short reads, many at a time on each connection. */
  readonly reads: PgPool.PgPool
  /** Longer reads and upkeep, one at a time on each connection. */
  readonly work: PgPool.PgPool
  /** The one connection that commits travel on. */
  readonly commits: PgPool.PgPool
  /** The one that requests of rate windows are taken on: they wait for nothing longer. */
  readonly leases: PgPool.PgPool
}

const configWith = (
  settings: ConnectionSettings,
  ssl: PgConnection.Config["ssl"],
): PgConnection.Config => ({
  host: settings.host,
  port: settings.port,
  database: settings.database,
  username: settings.username,
  password: settings.password,
  ssl,
  applicationName: settings.applicationName ?? "payport",
  connectTimeout: Duration.seconds(settings.connectTimeout ?? 5),
  keepAlive: "15 seconds",
  startupOptions: settings.startupOptions,
  startupParameters: session,
})

const isWithoutTls = (error: SqlError | DatabaseUnusable): boolean =>
  error._tag === "SqlError" && error.reason.message.endsWith("Server refused TLS")

/** Looks whether the server can be used at all. */
const look = Effect.fnUntraced(function* (config: PgConnection.Config) {
  const connection = yield* PgConnection.make(config)
  const { rows } = yield* connection.query("SHOW server_version_num")
  const refusal = refusalOfVersion(Number(rows[0]?.["server_version_num"]))
  if (refusal !== undefined) return yield* refusal
}, Effect.scoped)

/**
 * The connection of a session, with the limits of its statements, once it has been made: that shows
 * whether the database can be used at all, and with `prefer`, whether its server knows TLS.
 */
export const configOf: (
  settings: ConnectionSettings,
) => Effect.Effect<PgConnection.Config, SqlError | DatabaseUnusable> = Effect.fnUntraced(
  function* (settings) {
    const config = configWith(settings, yield* sslOf(settings))
    const tried = Effect.as(look(config), config)
    if (settings.tls?.mode !== "prefer") return yield* tried
    return yield* Effect.catchIf(tried, isWithoutTls, () =>
      Effect.as(look({ ...config, ssl: false }), { ...config, ssl: false }),
    )
  },
)

/** Opens the pools. */
export const openDatabase = Effect.fnUntraced(function* (settings: ConnectionSettings) {
  const config = yield* configOf(settings)
  const reads = yield* PgPool.make({
    ...config,
    multiplex: true,
    maxConnections: settings.readConnections ?? 2,
    minConnections: 1,
    startupParameters: { ...session, ...byIndex },
  })
  const work = yield* PgPool.make({
    ...config,
    maxConnections: settings.workConnections ?? 4,
    startupParameters: { ...session, random_page_cost: "1.1" },
  })
  const commits = yield* PgPool.make({
    ...config,
    maxConnections: 1,
    minConnections: 1,
    startupParameters: { ...session, ...byIndex, plan_cache_mode: "force_generic_plan" },
  })
  const leases = yield* PgPool.make({
    ...config,
    maxConnections: 1,
    startupParameters: { ...session, ...byIndex, plan_cache_mode: "force_generic_plan" },
  })
  const database: Database = {
    config,
    reads: measured(reads, "reads"),
    work: measured(work, "work"),
    commits: measured(commits, "commits"),
    leases: measured(leases, "leases"),
  }
  return database
})

const noAnswer = (pool: PgPool.PgPool, connection: PgConnection.PgConnection) =>
  Effect.andThen(Effect.forkDetach(pool.invalidate(connection)), Effect.fail(new NoAnswer()))

class NoAnswer extends Data.TaggedError("NoAnswer")<{}> {
  override readonly message = "The database did not answer in time."
}

const send = (pool: PgPool.PgPool, sql: string, parameters: ReadonlyArray<unknown>) =>
  inRealTime(
    pool.use((connection) =>
      connection.query(sql, parameters).pipe(
        Effect.map(({ rows }): ReadonlyArray<Row> => rows),
        Effect.timeoutOrElse({
          duration: ANSWER_TIMEOUT,
          orElse: () => noAnswer(pool, connection),
        }),
      ),
    ),
  )

const isLost = (error: SqlError | NoAnswer): boolean =>
  error._tag === "NoAnswer" ||
  (error.reason._tag === "ConnectionError" && error.reason.operation !== "connect")

const failed = (error: SqlError | NoAnswer): DatabaseError | NoAnswer =>
  error._tag === "NoAnswer" ? error : databaseError(error)

/**
 * The rows that a question finds. When the connection breaks meanwhile, the question is asked once
 * more on another.
 */
export const ask = (
  pool: PgPool.PgPool,
  sql: string,
  parameters: ReadonlyArray<unknown>,
): Effect.Effect<ReadonlyArray<Row>, StoreUnavailable> => {
  const once = send(pool, sql, parameters)
  return once.pipe(
    Effect.catchIf(
      (error) => error._tag === "SqlError" && isLost(error),
      () => once,
    ),
    Effect.mapError(
      (error) => new StoreUnavailable({ outcome: "not_stored", cause: failed(error) }),
    ),
  )
}

/** The rows of a statement that changes something, sent once. */
export const run = (
  pool: PgPool.PgPool,
  sql: string,
  parameters: ReadonlyArray<unknown>,
): Effect.Effect<ReadonlyArray<Row>, StoreUnavailable> =>
  Effect.mapError(
    send(pool, sql, parameters),
    (error) =>
      new StoreUnavailable({
        outcome: isLost(error) ? "unknown" : "not_stored",
        cause: failed(error),
      }),
  )
