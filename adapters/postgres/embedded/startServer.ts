import { Clock, Duration, Effect } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { rm } from "node:fs/promises"
import type { Binaries } from "./binaries.ts"
import { type Cluster, environment } from "./cluster.ts"
import { PostgresFailed } from "./EmbeddedPostgresError.ts"
import { onDisk } from "./files.ts"
import { disownPostmasterFile, readPostmasterFile } from "./postmasterFile.ts"
import { logFile, logSince, openLog } from "./serverLog.ts"
import { type ServerAddress, socketPath } from "./serverAddress.ts"
import { type ServerSettings, settingArguments } from "./serverSettings.ts"
import type { ServerUser } from "./serverUser.ts"
import { endLeftovers } from "./stopServer.ts"

/** Everything that starting a cluster's server needs. */
export interface ServerPlan {
  readonly folder: string
  readonly cluster: Cluster
  readonly binaries: Binaries
  readonly user: ServerUser | undefined
  readonly settings: ServerSettings
  readonly startLimit: Duration.Input
  readonly stopLimit: Duration.Input
}

const addressSettings = (address: ServerAddress): ServerSettings =>
  address.kind === "socket"
    ? {
        listen_addresses: "",
        port: String(address.port),
        unix_socket_directories: `"${address.folder}"`,
        unix_socket_permissions: "0700",
      }
    : { listen_addresses: address.host, port: String(address.port) }

// After a power cut a socket's lock may hold a process number that is another's by now.
const clearSocket = async (address: ServerAddress): Promise<void> => {
  if (address.kind === "loopback") return
  const path = socketPath(address.folder, address.port)
  await rm(path, { force: true })
  await rm(`${path}.lock`, { force: true })
}

interface Launch {
  readonly child: ChildProcess
  readonly logPosition: number
  readonly ended: () => string | undefined
}

// In its own process group the server gets no Ctrl-C from the terminal while the service drains.
const launch = async (plan: ServerPlan, address: ServerAddress): Promise<Launch> => {
  const { binaries, cluster, folder, user } = plan
  await disownPostmasterFile(cluster.data)
  await clearSocket(address)
  const settings = settingArguments({ ...plan.settings, ...addressSettings(address) })
  const log = await openLog(folder)
  try {
    const logPosition = (await log.stat()).size
    const own = { cwd: cluster.data, env: environment, ...user }
    const common = { ...own, detached: true, windowsHide: true }
    // On Windows PostgreSQL refuses administrator rights, as it refuses root. pg_ctl drops them.
    const child =
      process.platform === "win32"
        ? spawn(
            binaries.pg_ctl,
            ["start", "-D", cluster.data, "-l", logFile(folder), "-w", "-o", settings.join(" ")],
            { ...common, stdio: "ignore" },
          )
        : spawn(binaries.postgres, ["-D", cluster.dataArgument, ...settings], {
            ...common,
            stdio: ["ignore", log.fd, log.fd],
          })
    let ended: string | undefined
    child.once("error", (error) => {
      ended = error.message
    })
    child.once("exit", (code, signal) => {
      if (process.platform === "win32" && code === 0) return
      ended = signal === null ? `it exited with code ${code}` : `it was ended by ${signal}`
    })
    child.unref()
    return { child, logPosition, ended: () => ended }
  } finally {
    await log.close()
  }
}

const waitUntilReady = Effect.fnUntraced(function* (plan: ServerPlan, started: Launch) {
  const { cluster, folder } = plan
  const failed = Effect.fnUntraced(function* (reason: string) {
    const said = yield* logSince(folder, started.logPosition)
    return yield* new PostgresFailed({
      folder,
      step: "start",
      message:
        `PostgreSQL did not start on ${cluster.data}: ${reason}. ` +
        `Its log, ${logFile(folder)}, ends with:\n${said}`,
    })
  })
  const limit = Duration.toMillis(Duration.fromInputUnsafe(plan.startLimit))
  const deadline = (yield* Clock.currentTimeMillis) + limit
  while (true) {
    const ended = started.ended()
    if (ended !== undefined) return yield* failed(ended)
    const file = yield* onDisk(folder, "read postmaster.pid", () =>
      readPostmasterFile(cluster.data),
    )
    const own = process.platform === "win32" || file?.pid === started.child.pid
    if (file !== undefined && own && file.status === "ready") return file.pid
    if ((yield* Clock.currentTimeMillis) > deadline) {
      return yield* failed(`it was not ready after ${limit / 1000} s`)
    }
    yield* Effect.sleep("5 millis")
  }
})

const kill = (pid: number): void => {
  try {
    process.kill(pid, "SIGINT")
  } catch {
    // The server has ended already.
  }
}

/** Starts a fast shutdown if this process exits without closing the scope (`process.exit`). */
export const stopOnExit = (pid: () => number) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const listener = () => kill(pid())
      process.once("exit", listener)
      return listener
    }),
    (listener) => Effect.sync(() => process.removeListener("exit", listener)),
  )

/**
 * Starts the server if no process of an earlier one is left, and waits until it takes connections.
 * Returns its process number.
 */
export const startServer = Effect.fnUntraced(function* (plan: ServerPlan, address: ServerAddress) {
  const { cluster, folder } = plan
  if (!(yield* endLeftovers(cluster.data))) {
    return yield* new PostgresFailed({
      folder,
      step: "start",
      message:
        `Processes of an earlier PostgreSQL still work in ${cluster.data} and do not end. ` +
        "End them by hand, then start payport again.",
    })
  }
  const started = yield* onDisk(plan.folder, "start PostgreSQL", () => launch(plan, address))
  return yield* waitUntilReady(plan, started).pipe(
    // Neither a refusal nor an interruption may leave a half-started server running.
    Effect.onError(() =>
      Effect.sync(() => {
        if (started.child.pid !== undefined && started.ended() === undefined)
          kill(started.child.pid)
      }),
    ),
  )
})
