import { Clock, Duration, Effect, type Redacted } from "effect"
import { realpath, rmdir } from "node:fs/promises"
import { resolve } from "node:path"
import { makeFolder } from "../../shared/makeFolder.ts"
import { findBinaries, prepareBinaries } from "./binaries.ts"
import { type Cluster, openCluster } from "./cluster.ts"
import {
  askConfiguration,
  connectionUrl,
  type DatabaseConnection,
  ensureDatabase,
  ownerConnection,
  serviceConnection,
} from "./database.ts"
import { onDisk } from "./files.ts"
import { lockFolder } from "./lockFolder.ts"
import { addressOf, type PostmasterFile, readPostmasterFile } from "./postmasterFile.ts"
import { servesFolder } from "./processes.ts"
import { chooseAddress } from "./serverAddress.ts"
import { keepRunning, type Running } from "./keepRunning.ts"
import { keepLogShort } from "./serverLog.ts"
import { defaultSettings, fingerprint, type ServerSettings } from "./serverSettings.ts"
import { findServerUser } from "./serverUser.ts"
import { type ServerPlan, startServer, stopOnExit } from "./startServer.ts"
import { stopServer, waitUntilGone } from "./stopServer.ts"

/** The data folder and time limits. `settings` override the built-in ones. */
export interface EmbeddedPostgresOptions {
  readonly dataDirectory: string
  readonly settings?: ServerSettings
  /** Time limit of a start, including recovery after a power cut. Five minutes by default. */
  readonly startLimit?: Duration.Input
  /** Time limit of a fast shutdown before a harder one. 15 seconds by default. */
  readonly stopLimit?: Duration.Input
}

/**
 * A running server. `adopted` says that a killed service left it; `firstStart` says that its data
 * are new. `pid` changes if the server ended by itself and was started again.
 */
export interface EmbeddedPostgres {
  /** The connection of the database's owner. */
  readonly connection: DatabaseConnection
  /** The connection of the service's role. The owner must grant it what it needs. */
  readonly service: DatabaseConnection
  readonly url: Redacted.Redacted
  readonly pid: number
  readonly adopted: boolean
  readonly firstStart: boolean
}

// For root, the folder must be open to the server's user. Secret files have their own modes.
const openFolder = async (dataDirectory: string): Promise<string> => {
  const folder = resolve(dataDirectory)
  await makeFolder(folder, process.getuid?.() === 0 ? 0o711 : 0o700)
  return realpath(folder)
}

/** Returns the server that a killed service left, once it is ready; undefined if none runs. */
const findRunning = Effect.fnUntraced(function* (plan: ServerPlan) {
  const { data } = plan.cluster
  const limit = Duration.toMillis(Duration.fromInputUnsafe(plan.startLimit))
  const deadline = (yield* Clock.currentTimeMillis) + limit
  while (true) {
    const file = yield* onDisk(plan.folder, "read postmaster.pid", () => readPostmasterFile(data))
    if (file === undefined) return undefined
    if (!(yield* Effect.promise(() => servesFolder(file.pid, data)))) return undefined
    if (file.status === "ready" || (yield* Clock.currentTimeMillis) > deadline) return file
    if (file.status === "stopping") yield* waitUntilGone(data, file.pid, plan.stopLimit)
    yield* Effect.sleep("20 millis")
  }
})

const adoptable = Effect.fnUntraced(function* (
  file: PostmasterFile,
  cluster: Cluster,
  settings: ServerSettings,
) {
  const connection = serviceConnection(addressOf(file), cluster.password)
  const configuration = yield* askConfiguration(connection).pipe(
    Effect.orElseSucceed(() => undefined),
  )
  return configuration === settings["payport.configuration"]
})

const adoptOrStart = Effect.fnUntraced(function* (plan: ServerPlan) {
  const { binaries, cluster, folder, settings } = plan
  const left = yield* findRunning(plan)
  if (left !== undefined) {
    if (yield* adoptable(left, cluster, settings)) {
      const running: Running = { pid: left.pid, address: addressOf(left), adopted: true }
      return running
    }
    yield* stopServer(binaries, cluster.data, left.pid, plan.stopLimit)
  }
  const address = yield* chooseAddress(folder, cluster.home, plan.user)
  const pid = yield* startServer(plan, address)
  const running: Running = { pid, address, adopted: false }
  return running
})

const stop = Effect.fnUntraced(function* (plan: ServerPlan, running: Running) {
  const { address, pid } = running
  yield* stopServer(plan.binaries, plan.cluster.data, pid, plan.stopLimit)
  if (address.kind === "socket" && address.folder !== plan.cluster.home) {
    yield* Effect.promise(() => rmdir(address.folder).catch(() => undefined))
  }
})

const planFor = Effect.fnUntraced(function* (folder: string, options: EmbeddedPostgresOptions) {
  const found = yield* findBinaries()
  const user = yield* findServerUser(folder, `${folder}/postgres`)
  const binaries = yield* prepareBinaries(found, user)
  const cluster = yield* openCluster(folder, binaries, user)
  const chosen = { ...defaultSettings, ...options.settings }
  const configuration = fingerprint(chosen, binaries.postgres, binaries.version)
  const plan: ServerPlan = {
    folder,
    cluster,
    binaries,
    user,
    settings: { ...chosen, "payport.configuration": configuration },
    startLimit: options.startLimit ?? "5 minutes",
    stopLimit: options.stopLimit ?? "15 seconds",
  }
  return plan
})

/**
 * Runs a real PostgreSQL on `<dataDirectory>/postgres` until the scope closes, and creates the data
 * at the first start. A server that a killed service left behind is adopted, or restarted if its
 * settings or programs differ. Two servers never run on the same data.
 */
export const startEmbeddedPostgres = Effect.fn("startEmbeddedPostgres")(function* (
  options: EmbeddedPostgresOptions,
) {
  const folder = yield* onDisk(options.dataDirectory, "make the data folder", () =>
    openFolder(options.dataDirectory),
  )
  yield* lockFolder(folder)
  const plan = yield* planFor(folder, options)
  const running = yield* Effect.acquireRelease(
    adoptOrStart(plan),
    (started) => stop(plan, started),
    { interruptible: true },
  )
  yield* stopOnExit(() => running.pid)
  yield* keepLogShort(folder)
  const { created, password } = plan.cluster
  if (!running.adopted) yield* ensureDatabase(folder, running.address, password, created)
  yield* keepRunning(plan, running)
  const connection = ownerConnection(running.address, password)
  const server: EmbeddedPostgres = {
    connection,
    service: serviceConnection(running.address, password),
    url: connectionUrl(connection),
    get pid() {
      return running.pid
    },
    adopted: running.adopted,
    firstStart: created,
  }
  return server
})
