import type { PgConnection } from "@effect/sql-pg"
import { Clock, Duration, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { StoreUnavailable } from "../../core/ports/Store.ts"
import type { Access, SessionSource } from "./access.ts"
import { Announcement } from "./Announcement.ts"
import type { ConnectionSettings } from "./ConnectionSettings.ts"
import { databaseError } from "./failures.ts"
import { poolMeasures } from "./measures.ts"
import type { OurSchema } from "./OurSchema.ts"
import {
  GRACE,
  milliseconds,
  SESSION_SETTINGS,
  SHORT,
  STATEMENT_TIMEOUT,
} from "./sessions/limits.ts"
import { PrimaryFollower } from "./sessions/PrimaryFollower.ts"
import type { Session } from "./sessions/Session.ts"
import type { PoolOptions } from "./sessions/PoolOptions.ts"
import { SessionPool } from "./sessions/SessionPool.ts"
import type { Row } from "./tables/Table.ts"

/** Network timeouts use real time, even if the service's clock is moved. */
const realClock = Clock.Clock.defaultValue()

/** Runs the effect with real timeouts and pauses. */
export const inRealTime = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(effect, Clock.Clock, realClock)

/**
 * Every query has an index. A connection may live for weeks: it must not keep a plan that was made
 * while a table was small or not yet analysed.
 */
const byIndex = { enable_seqscan: "off" }

/** The pools of one database. `listen` opens the listener's session. */
export interface Database {
  readonly schema: OurSchema
  readonly listen: Effect.Effect<Session, SqlError>
  /** Short reads, many at a time on each connection. */
  readonly reads: SessionPool
  /** Longer reads and upkeep, one at a time on each connection. */
  readonly work: SessionPool
  /** The one connection that commits travel on. */
  readonly commits: SessionPool
  /** Connections for commits with a host's statements. Empty without such a host. */
  readonly hooked: SessionPool
  /** Sessions that hold a lock from one statement to the next. */
  readonly sessions: SessionPool
  /** The connection for leases of rate windows, which wait for no longer statement. */
  readonly leases: SessionPool
}

/** The pools for reads. */
export type ReadPools = Pick<Database, "reads" | "work">

/** Returns the settings of a pool: its parameters and the time limit of one statement. */
const limited = (statement: Duration.Duration, parameters: object) => ({
  startupParameters: {
    ...SESSION_SETTINGS,
    statement_timeout: milliseconds(statement),
    ...parameters,
  },
})

const silenceAfter = (statement: Duration.Duration): number =>
  Duration.toMillis(Duration.sum(statement, GRACE))

const GENERIC = { ...byIndex, plan_cache_mode: "force_generic_plan" }

const SHORT_READS = { multiplex: true, ...limited(SHORT, byIndex) }
const WORK = limited(STATEMENT_TIMEOUT, { random_page_cost: "1.1" })

/** The factor for the number of sessions if each carries one statement at a time. */
const MORE_READS = 4

/** The default numbers of sessions for short and for longer reads. */
const READ_CONNECTIONS = 2
const WORK_CONNECTIONS = 4

/** The most commits with a host's statements at the same time. */
const HOOKED = 4

/** Opens the pools of a database whose schema exists. */
export const openDatabase = Effect.fnUntraced(function* (
  settings: Pick<ConnectionSettings, "readConnections" | "workConnections">,
  { isShared, sessions, statements }: Access,
) {
  const { schema } = statements
  const isApart = sessions !== statements
  const primary = new PrimaryFollower()
  const announcement = new Announcement(schema)
  const readConnections = settings.readConnections ?? READ_CONNECTIONS

  const pool = Effect.fnUntraced(function* (
    name: string,
    statement: Duration.Duration,
    more: PgConnection.Config,
    sizes: Pick<PoolOptions, "most" | "least" | "shared">,
    source: SessionSource = statements,
  ) {
    const role = more.multiplex === true ? "primary" : "read-write"
    const isOurs = source === sessions || !isShared
    const opening = primary.opening(inRealTime(source.open(isOurs ? more : {}, role)), role)
    const holds = name === (isApart ? "sessions" : "commits") && !sessions.isBorrowed
    const made = yield* SessionPool.make({
      ...(isOurs ? sizes : { most: sizes.most }),
      open: holds ? Effect.flatMap(opening, announcement.hold) : opening,
      admission: announcement.admission,
      silence: silenceAfter(statement),
      measures: poolMeasures(name),
      onReadOnly: primary.lost,
      ...(source.isBorrowed ? { idle: 0, least: 0 } : {}),
    })
    primary.add(made, role)
    return made
  })

  const commits = yield* pool("commits", SHORT, limited(SHORT, GENERIC), { most: 1, least: 1 })
  const listening = primary.listening(inRealTime(sessions.open({}, "primary")))
  const database: Database = {
    schema,
    // A host's pool closes a session that it lent for a lock, so the listener holds this one.
    listen: sessions.isBorrowed ? Effect.flatMap(listening, announcement.hold) : listening,
    reads: yield* pool("reads", SHORT, SHORT_READS, {
      most: isShared ? readConnections * MORE_READS : readConnections,
      least: 1,
      shared: 32,
    }),
    work: yield* pool("work", STATEMENT_TIMEOUT, WORK, {
      most: settings.workConnections ?? WORK_CONNECTIONS,
    }),
    commits,
    sessions: isApart
      ? yield* pool("sessions", SHORT, limited(SHORT, GENERIC), { most: 1, least: 1 }, sessions)
      : commits,
    hooked: yield* pool("hooked", SHORT, limited(SHORT, {}), { most: HOOKED }),
    leases: yield* pool("leases", SHORT, limited(SHORT, GENERIC), { most: 1 }),
  }
  return database
})

/** Opens the pools of a replica. `opened` runs for each new session. */
export const openReadPools = Effect.fnUntraced(function* (
  settings: Pick<ConnectionSettings, "readConnections" | "workConnections">,
  source: SessionSource,
  opened: (session: Session) => Effect.Effect<void>,
) {
  const pool = (
    name: string,
    statement: Duration.Duration,
    more: PgConnection.Config,
    sizes: Pick<PoolOptions, "most" | "least" | "shared">,
  ) =>
    SessionPool.make({
      ...sizes,
      open: Effect.tap(inRealTime(source.open(more, "any")), opened),
      silence: silenceAfter(statement),
      measures: poolMeasures(name),
      onReadOnly: () => {},
    })
  const pools: ReadPools = {
    reads: yield* pool("replica_reads", SHORT, SHORT_READS, {
      most: settings.readConnections ?? READ_CONNECTIONS,
      least: 1,
      shared: 32,
    }),
    work: yield* pool("replica_work", STATEMENT_TIMEOUT, WORK, {
      most: settings.workConnections ?? WORK_CONNECTIONS,
    }),
  }
  return pools
})

const send = (lend: SessionPool["use"], sql: string, parameters: ReadonlyArray<unknown>) =>
  Effect.map(
    lend((connection) => connection.query(sql, parameters)),
    ({ rows }): ReadonlyArray<Row> => rows,
  )

const isLost = ({ reason }: SqlError): boolean =>
  reason._tag === "ConnectionError" && reason.operation !== "connect"

/**
 * Sends a read and returns its rows. If the connection breaks, the read is sent once more on
 * another connection.
 */
export const ask = (
  pool: SessionPool,
  sql: string,
  parameters: ReadonlyArray<unknown>,
): Effect.Effect<ReadonlyArray<Row>, StoreUnavailable> => {
  const once = send(pool.use, sql, parameters)
  return once.pipe(
    Effect.catchIf(isLost, () => once),
    Effect.mapError(
      (error) => new StoreUnavailable({ outcome: "not_stored", cause: databaseError(error) }),
    ),
  )
}

/** Sends a statement that changes something, once, and returns its rows. */
export const run = (
  pool: SessionPool,
  sql: string,
  parameters: ReadonlyArray<unknown>,
): Effect.Effect<ReadonlyArray<Row>, StoreUnavailable> =>
  Effect.mapError(
    send(pool.write, sql, parameters),
    (error) =>
      new StoreUnavailable({
        outcome: isLost(error) ? "unknown" : "not_stored",
        cause: databaseError(error),
      }),
  )
