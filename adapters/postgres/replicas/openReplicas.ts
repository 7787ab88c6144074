import { Effect, type Scope } from "effect"
import { METRICS } from "../../shared/metrics/Metrics.ts"
import { gaugeOf } from "../../shared/metrics/series.ts"
import { replicaSessions } from "../access.ts"
import type { ConnectionSettings, ReplicaSettings } from "../ConnectionSettings.ts"
import { ask, type Database, inRealTime, openReadPools, type ReadPools } from "../database.ts"
import { DatabaseUnusable, placeOf, unusable } from "../DatabaseUnusable.ts"
import type { OurSchema } from "../OurSchema.ts"
import { Marks } from "./Marks.ts"
import { primaryMark } from "./primaryMark.ts"
import { IDENTITY_SQL, type OpenReplica, Replica } from "./Replica.ts"
import { Writers } from "./Writers.ts"

/** The default of `longestLag`, in seconds. */
const LONGEST_LAG = 10

/** How often the primary and each replica are looked at, and a replica that is away. */
const EVERY = "200 millis"
const EVERY_WHILE_AWAY = "2 seconds"

const PURGED_EVERY = "1 minute"

const opening =
  (settings: ConnectionSettings, schema: OurSchema): OpenReplica =>
  (opened) =>
    replicaSessions(settings, schema).pipe(
      Effect.flatMap((source) => openReadPools(settings, source, opened)),
      Effect.catchTag("SqlError", (error) => unusable(settings)(error)),
    )

const otherDatabase = (settings: ConnectionSettings) =>
  new DatabaseUnusable({
    message:
      `The replica ${placeOf(settings)} has another database than PAYPORT_DATABASE_URL. Set` +
      " PAYPORT_REPLICA_URL to a server that follows the primary by streaming replication.",
  })

const severalServers = (settings: ConnectionSettings) =>
  new DatabaseUnusable({
    message:
      `The URL of the replicas ${placeOf(settings)} names several servers, whose data may differ.` +
      " Give each its own URL, separated by commas.",
  })

const forever = <E, R>(turn: Effect.Effect<unknown, E, R>) =>
  inRealTime(Effect.forever(Effect.catchCause(turn, (cause) => Effect.logDebug("replicas", cause))))

/**
 * Follows the replicas of a primary until the scope closes. A replica that cannot be reached is
 * tried again. A replica of another database fails the start.
 */
export const openReplicas: <Reads>(
  primary: Database,
  settings: ReplicaSettings,
  readsOf: (pools: ReadPools) => Reads,
) => Effect.Effect<
  { readonly replicas: ReadonlyArray<Replica<Reads>>; readonly writers: Writers },
  DatabaseUnusable,
  Scope.Scope
> = Effect.fnUntraced(function* (primary, { longestLag = LONGEST_LAG, servers }, readsOf) {
  const longest = longestLag * 1_000
  const marks = new Marks(longest)
  const writers = new Writers(primary, longest)
  const mark = Effect.map(primaryMark(primary), (found) => {
    if (found === undefined) return
    marks.add(found)
    writers.follow(found.line)
  })
  const [own] = yield* Effect.mapError(
    ask(primary.reads, `SELECT ${IDENTITY_SQL}`, []),
    (error) =>
      new DatabaseUnusable({
        message: `The database does not say which one it is: ${String(error.cause)}`,
      }),
  )
  const identity = String(own?.["identity"])
  yield* Effect.ignore(mark)
  yield* Effect.forkScoped(forever(Effect.delay(mark, EVERY)))
  yield* Effect.forkScoped(forever(Effect.delay(writers.purge, PURGED_EVERY)))
  const replicas = yield* Effect.forEach(
    servers,
    Effect.fnUntraced(function* (server) {
      if ((server.otherServers ?? []).length > 0) return yield* severalServers(server)
      const name = placeOf(server).replace(/^at /, "")
      const replica = new Replica(name, longest, opening(server, primary.schema), readsOf)
      const look = replica.look(identity, marks)
      if ((yield* look) === "other_database") return yield* otherDatabase(server)
      const next = Effect.suspend(() =>
        Effect.delay(look, replica.state === "away" ? EVERY_WHILE_AWAY : EVERY),
      )
      yield* Effect.forkScoped(forever(next))
      yield* gaugeOf(METRICS.replicaUsed, { replica: name }, () =>
        replica.state === "used" ? 1 : 0,
      )
      yield* gaugeOf(METRICS.replicaAge, { replica: name }, () => (replica.age ?? NaN) / 1_000)
      return replica
    }),
    { concurrency: "unbounded" },
  )
  return { replicas, writers }
})
