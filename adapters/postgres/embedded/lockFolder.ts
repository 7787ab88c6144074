import { Effect, Schedule, Schema } from "effect"
import { closeSync, openSync, rmSync } from "node:fs"
import { readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { DataFolderInUse, DataFolderUnusable } from "./EmbeddedPostgresError.ts"
import { codeOf, ifPresent, onDisk } from "./files.ts"
import { isAlive } from "./processes.ts"

const Holder = Schema.fromJsonString(Schema.Struct({ pid: Schema.Int }))
const decodeHolder = Schema.decodeUnknownPromise(Holder)

const holderFile = (folder: string): string => join(folder, "postgres.holder.json")

const SQLITE_BUSY = 5

const isBusy = (cause: unknown): boolean =>
  cause instanceof Error && "errcode" in cause && cause.errcode === SQLITE_BUSY

const readHolder = async (folder: string): Promise<number | null> => {
  const text = await ifPresent(readFile(holderFile(folder), "utf8"))
  if (text === undefined) return null
  const holder = await decodeHolder(text)
  return isAlive(holder.pid) ? holder.pid : null
}

// The holder writes its process number just after locking, so it may be missing for a moment.
const findHolder = (folder: string): Effect.Effect<number | null> =>
  Effect.promise(() => readHolder(folder).catch(() => null)).pipe(
    Effect.repeat({
      schedule: Schedule.spaced("20 millis").pipe(Schedule.upTo({ times: 10 })),
      until: (pid) => pid !== null,
    }),
    Effect.andThen(Effect.promise(() => readHolder(folder).catch(() => null))),
  )

// Who may read a file may also lock it. Only a new file is opened here: closing any handle of a
// locked file would lose this process's own lock on it.
const createPrivately = (file: string): void => {
  try {
    closeSync(openSync(file, "wx", 0o600))
  } catch (cause) {
    if (codeOf(cause) !== "EEXIST") throw cause
  }
}

const openLocked = (folder: string): DatabaseSync => {
  const file = join(folder, "postgres.lock")
  createPrivately(file)
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    database.exec("BEGIN EXCLUSIVE")
    return database
  } catch (cause) {
    database.close()
    throw cause
  }
}

const writeHolder = async (folder: string): Promise<void> => {
  const file = holderFile(folder)
  await rm(`${file}.next`, { force: true })
  await writeFile(`${file}.next`, JSON.stringify({ pid: process.pid }), { mode: 0o600 })
  await rename(`${file}.next`, file)
}

const inUse = Effect.fnUntraced(function* (folder: string) {
  const pid = yield* findHolder(folder)
  const who = pid === null ? "Another payport" : `Another payport (process ${pid})`
  return yield* new DataFolderInUse({
    folder,
    pid,
    message:
      `${who} is using the data folder ${folder}. Stop it, set PAYPORT_DATA_DIR to another data ` +
      "folder, or set PAYPORT_DATABASE_URL of both to one PostgreSQL server.",
  })
})

/**
 * Locks the folder against other services until the scope closes. It is an operating system's lock
 * on an (empty) SQLite file: exactly one process gets it, the kernel releases it when the process
 * ends for any reason, and no process number can be mistaken for another's.
 */
export const lockFolder = Effect.fnUntraced(function* (folder: string) {
  yield* Effect.acquireRelease(
    Effect.try({
      try: () => openLocked(folder),
      catch: (cause) =>
        isBusy(cause)
          ? ("busy" as const)
          : new DataFolderUnusable({
              folder,
              message:
                `Cannot lock ${join(folder, "postgres.lock")}: ` +
                `${cause instanceof Error ? cause.message : String(cause)}. Run payport as the ` +
                "user who owns the data folder, or choose another data folder.",
              cause,
            }),
    }).pipe(
      Effect.catchIf(
        (error) => error === "busy",
        () => inUse(folder),
      ),
    ),
    (database) =>
      Effect.sync(() => {
        rmSync(holderFile(folder), { force: true })
        database.close()
      }),
  )
  yield* onDisk(folder, "note who uses the folder", () => writeHolder(folder))
})
