import { Deferred, Effect, Fiber, Redacted } from "effect"
import { connectionUrl } from "../../../adapters/postgres/embedded/database.ts"
import { startEmbeddedPostgres } from "../../../adapters/postgres/embedded/startEmbeddedPostgres.ts"
import { migrateAs } from "../../../adapters/postgres/PostgresStore.ts"
import { holdPort } from "../address.ts"
import type { DatabaseUse } from "../databaseSettings.ts"
import type { Ready } from "../greeting.ts"
import { openSecrets } from "../secrets.ts"
import type { Settings } from "../settings.ts"
import type { ProcessEnded } from "./ProcessEnded.ts"
import { type Post, Team } from "./Team.ts"

/** A process that lived for so many milliseconds had no problem at its start. */
const LONG_ENOUGH = 10_000

/** The pauses between the starts of a process that does not come up, in milliseconds. */
const FIRST_PAUSE = 500
const LONGEST_PAUSE = 30_000

/** Returns the pause before a process is started again, after so many short lives in a row. */
export const pauseAfter = (failures: number): number =>
  failures === 0 ? 0 : Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (failures - 1))

/** Returns the posts of the processes: those that answer, and one worker for all of them. */
export const postsOf = (
  { processes, roles }: Pick<Settings, "processes" | "roles">,
  environment: Post["environment"],
): ReadonlyArray<Post> => {
  const own = { ...environment, PAYPORT_PROCESSES: "1" }
  const works = roles.has("worker")
  const answering = Array.from({ length: processes }, (_, at) => ({
    name: String(at + 1),
    environment: { ...own, PAYPORT_ROLES: "api" },
    counts: !works && at === 0,
  }))
  if (!works) return answering
  // It listens nowhere: a free port would be the one that the others share.
  const quiet = { PAYPORT_ROLES: "worker", PAYPORT_ADMIN_PORT: "", PAYPORT_PROBE_PORT: "off" }
  return [...answering, { name: "worker", environment: { ...own, ...quiet }, counts: true }]
}

/** The connections of the embedded database, unless there are more processes than usual. */
const USUAL_CONNECTIONS = 100

/** Connections of each process beside the settings, and those for people and replacements. */
const FIXED_CONNECTIONS = 3
const SPARE_CONNECTIONS = 25

/** Returns how many connections the embedded database needs for so many processes. */
export const connectionsFor = (
  processes: number,
  { readConnections = 2, workConnections = 4 }: DatabaseUse,
): number => {
  const each = readConnections + workConnections + FIXED_CONNECTIONS
  return Math.max(USUAL_CONNECTIONS, processes * each + SPARE_CONNECTIONS)
}

/** Returns where the database is; the embedded one runs until the scope closes. */
const databaseOf = Effect.fnUntraced(function* (settings: Settings) {
  const { connection, data_dir, database, processes } = settings
  if (connection !== undefined) return {}
  const embedded = yield* startEmbeddedPostgres({
    dataDirectory: data_dir,
    settings: { max_connections: String(connectionsFor(processes + 1, database)) },
  })
  yield* migrateAs(embedded.connection, { ...embedded.service, ...database })
  return { PAYPORT_DATABASE_URL: Redacted.value(connectionUrl(embedded.service)) }
})

/** Keeps one process running until interrupted; fails if it never comes up. */
const keep = (team: Team, post: Post, up: Deferred.Deferred<Ready>) => {
  const runFrom = (failures: number): Effect.Effect<never, ProcessEnded> => {
    const began = performance.now()
    return Effect.catchTag(
      team.run(post, (ready) => Deferred.doneUnsafe(up, Effect.succeed(ready))),
      "ProcessEnded",
      (ended) =>
        Effect.gen(function* () {
          if (!(yield* Deferred.isDone(up))) return yield* ended
          const next = performance.now() - began > LONG_ENOUGH ? 0 : failures + 1
          yield* Effect.logError(`${ended.message} It is being restarted.`)
          yield* Effect.sleep(pauseAfter(next))
          return yield* Effect.suspend(() => runFrom(next))
        }),
    )
  }
  return Effect.suspend(() => runFrom(0))
}

/**
 * Serves with several processes: some answer on one port, one is the worker. The first is started
 * before the others, so that an error is reported once. A process that ends by itself is started
 * again; if one never comes up, the start fails. They stop together, the database last.
 */
export const supervise = Effect.fnUntraced(function* (
  settings: Settings,
  announce: (ready: Ready) => Effect.Effect<void>,
) {
  // A free port is chosen once, also for processes that are started later.
  const { port } = yield* Effect.scoped(holdPort(settings.host, settings.port))
  yield* openSecrets(settings)
  const database = yield* databaseOf(settings)
  const posts = postsOf(settings, { ...database, PAYPORT_PORT: String(port) })
  const team = new Team()
  const begun = Deferred.makeUnsafe<Ready>()
  const kept = posts.map((post, at) => {
    const up = at === 0 ? begun : Deferred.makeUnsafe<Ready>()
    const keeping = keep(team, post, up)
    return { up, keeping: at === 0 ? keeping : Effect.andThen(Deferred.await(begun), keeping) }
  })
  const keeping = yield* Effect.forkChild(
    Effect.forEach(kept, (one) => one.keeping, { concurrency: "unbounded" }),
  )
  const ready = Effect.forEach(kept, ({ up }) => Deferred.await(up), { concurrency: "unbounded" })
  const [first] = yield* Effect.raceFirst(ready, Fiber.join(keeping))
  if (first !== undefined) yield* announce(first)
  return yield* Effect.onInterrupt(Fiber.join(keeping), () => Fiber.interrupt(keeping))
}, Effect.scoped)
