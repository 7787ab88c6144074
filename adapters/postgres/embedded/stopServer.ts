import { Duration, Effect, Option, Schedule } from "effect"
import { execFile } from "node:child_process"
import type { Binaries } from "./binaries.ts"
import { codeOf } from "./files.ts"
import { processesServing, servesFolder } from "./processes.ts"

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch (cause) {
    if (codeOf(cause) !== "ESRCH") throw cause
  }
}

const isGone = (data: string, pid: number): Effect.Effect<boolean> =>
  Effect.promise(async () => !(await servesFolder(pid, data)))

/** Waits until the process no longer serves the cluster. Returns whether that happened in time. */
export const waitUntilGone = (data: string, pid: number, limit: Duration.Input) =>
  isGone(data, pid).pipe(
    Effect.repeat({ schedule: Schedule.spaced("10 millis"), until: (gone) => gone }),
    Effect.timeoutOption(limit),
    Effect.map(Option.isSome),
  )

const stopOnWindows = (binaries: Binaries, data: string, limit: Duration.Input) =>
  Effect.callback<boolean>((resume) => {
    const seconds = String(Math.ceil(Duration.toSeconds(Duration.fromInputUnsafe(limit))))
    const stop = ["stop", "-D", data, "-m", "fast", "-w", "-t", seconds]
    execFile(binaries.pg_ctl, stop, { windowsHide: true }, (error) =>
      resume(Effect.succeed(error === null)),
    )
  })

/**
 * Stops a server within the limit by a fast shutdown: open transactions roll back, and everything
 * is flushed to disk. If that fails, stops it at once, and the next start recovers from the log. If
 * that fails, kills it. No acknowledged commit is lost.
 */
export const stopServer = Effect.fnUntraced(function* (
  binaries: Binaries,
  data: string,
  pid: number,
  limit: Duration.Input,
) {
  if (process.platform === "win32") {
    if (yield* stopOnWindows(binaries, data, limit)) return
    yield* Effect.logWarning(`PostgreSQL (process ${pid}) did not stop in time`)
    return
  }
  const steps = [
    ["SIGINT", limit],
    ["SIGQUIT", "5 seconds"],
    ["SIGKILL", "2 seconds"],
  ] as const
  for (const [name, time] of steps) {
    if (yield* isGone(data, pid)) return
    if (name !== "SIGINT") {
      yield* Effect.logWarning(`PostgreSQL (process ${pid}) did not stop in time: sending ${name}`)
    }
    yield* Effect.sync(() => signal(pid, name))
    yield* waitUntilGone(data, pid, time)
  }
})

/**
 * Ends processes of a server whose main process is gone, or whose `postmaster.pid` was deleted. No
 * other server may touch the files while they run. Returns false if some remain.
 */
export const endLeftovers = Effect.fnUntraced(function* (data: string) {
  const found = yield* Effect.promise(() => processesServing(data))
  if (found.length === 0) return true
  yield* Effect.logWarning(`Ending PostgreSQL processes left behind: ${found.join(", ")}`)
  yield* Effect.sync(() => found.forEach((pid) => signal(pid, "SIGQUIT")))
  const gone = yield* Effect.forEach(found, (pid) => waitUntilGone(data, pid, "10 seconds"), {
    concurrency: "unbounded",
  })
  return gone.every((ended) => ended)
})
