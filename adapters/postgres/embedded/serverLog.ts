import { Effect, Schedule } from "effect"
import { constants } from "node:fs"
import { copyFile, type FileHandle, open, readFile, stat, truncate } from "node:fs/promises"
import { join } from "node:path"
import { ifPresent, onDisk } from "./files.ts"

/** PostgreSQL's log is beside the cluster, because the server's user needs only the open file. */
export const logFile = (folder: string): string => join(folder, "postgres.log")

const LARGEST = 4 * 1024 * 1024

/** Opens the log for appending. Never follows a link. */
export const openLog = (folder: string): Promise<FileHandle> =>
  open(
    logFile(folder),
    constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0),
    0o600,
  )

/** Returns the log from a position on, at most its last 2,000 characters. */
export const logSince = (folder: string, position: number): Effect.Effect<string> =>
  Effect.promise(async () => {
    const text = await ifPresent(readFile(logFile(folder))).catch(() => undefined)
    return text?.subarray(position).toString("utf8").trim().slice(-2000) ?? ""
  })

const shorten = async (folder: string, largest: number): Promise<void> => {
  const file = logFile(folder)
  const found = await ifPresent(stat(file))
  if (found === undefined || found.size <= largest) return
  await copyFile(file, `${file}.1`)
  await truncate(file)
}

/** Renames a log of more than 4 MiB over the previous one, so that at most two exist. */
export const shortenLog = Effect.fnUntraced(function* (folder: string, largest: number = LARGEST) {
  yield* onDisk(folder, "shorten PostgreSQL's log", () => shorten(folder, largest))
})

/** Keeps the log short until the scope closes. The server appends, so it does not have to know. */
export const keepLogShort = (folder: string) =>
  shortenLog(folder).pipe(
    Effect.catch((error) => Effect.logWarning(error.message)),
    Effect.repeat(Schedule.spaced("1 minute")),
    Effect.forkScoped,
  )
