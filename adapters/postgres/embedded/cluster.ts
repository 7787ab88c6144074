import { Effect } from "effect"
import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { chown, lchown, mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { Binaries } from "./binaries.ts"
import { DataFolderUnusable, PostgresFailed } from "./EmbeddedPostgresError.ts"
import { ifPresent, onDisk, syncFolder, writeSecretFile } from "./files.ts"
import { firstClosedFolder, type ServerUser } from "./serverUser.ts"

/**
 * A database cluster and its password. Its folder exists only when both are complete. `data` is the
 * cluster's real path. `dataArgument` is the server's argument for it when started there.
 */
export interface Cluster {
  readonly home: string
  readonly data: string
  readonly dataArgument: string
  readonly password: string
  readonly created: boolean
}

/** The environment of PostgreSQL's programs, without the service's secrets and PG* variables. */
export const environment = {
  PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
  LC_ALL: "C",
  TZ: "UTC",
}

// Builtin C.UTF-8 folds and compares the same everywhere. The character type decides what counts as
// a letter in text search and trigrams. The known names differ by system.
const characterTypes = process.platform === "win32" ? ["C"] : ["C.UTF-8", "en_US.UTF-8", "C"]

/**
 * Returns the server's argument for its cluster. If a folder above is closed to the server's
 * user, such as root's home, root starts it in the cluster's folder, and Linux has a name for that.
 */
const dataArgument = Effect.fnUntraced(function* (
  folder: string,
  data: string,
  user: ServerUser | undefined,
) {
  const closed = yield* onDisk(folder, "look at the folders", () =>
    firstClosedFolder(dirname(dirname(data)), user),
  )
  if (closed === undefined) return data
  if (process.platform === "linux") return "/proc/self/cwd"
  return yield* new DataFolderUnusable({
    folder,
    message:
      `PostgreSQL cannot run as root, and user ${user?.uid} may not enter ${closed}. ` +
      `Open it (chmod o+x ${closed}) or choose another data folder.`,
  })
})

const runInitdb = (
  binaries: Binaries,
  data: string,
  argument: string,
  user: ServerUser | undefined,
  characterType: string,
): Effect.Effect<{ readonly code: number | null; readonly output: string }, Error> =>
  Effect.callback((resume) => {
    const child = spawn(
      binaries.initdb,
      [
        `--pgdata=${argument}`,
        "--pwfile=../password",
        "--username=postgres",
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--locale=C",
        `--lc-ctype=${characterType}`,
        "--text-search-config=english",
        "--no-instructions",
      ],
      {
        cwd: data,
        env: environment,
        stdio: ["ignore", "pipe", "pipe"],
        windowsHide: true,
        ...user,
      },
    )
    let output = ""
    const append = (chunk: Buffer) => {
      output = (output + chunk.toString("utf8")).slice(-4000)
    }
    child.stdout.on("data", append)
    child.stderr.on("data", append)
    child.once("error", (error) => resume(Effect.fail(error)))
    child.once("close", (code) => resume(Effect.succeed({ code, output })))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

const initialise = Effect.fnUntraced(function* (
  folder: string,
  data: string,
  binaries: Binaries,
  user: ServerUser | undefined,
) {
  const failed = (reason: string, cause?: unknown) =>
    new PostgresFailed({
      folder,
      step: "initialise",
      message: `Cannot create a database in ${folder}: ${reason}`,
      ...(cause === undefined ? {} : { cause }),
    })
  const argument = yield* dataArgument(folder, data, user)
  for (const characterType of characterTypes) {
    const { code, output } = yield* runInitdb(binaries, data, argument, user, characterType).pipe(
      Effect.mapError((cause) =>
        failed(
          `${binaries.initdb} does not run here (${cause.message}). The programs need glibc.`,
          cause,
        ),
      ),
    )
    if (code === 0) return
    if (!output.includes("invalid locale name")) return yield* failed(output.trim())
  }
  return yield* failed("the system knows no usable locale, not even C")
})

const unfinished = "postgres.initialising-"

// A killed service may leave an initdb that still writes for a moment during this deletion.
const removeUnfinished = async (folder: string): Promise<void> => {
  for (const entry of await readdir(folder)) {
    if (!entry.startsWith(unfinished)) continue
    await rm(join(folder, entry), { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  }
}

const makeFolder = async (path: string, user: ServerUser | undefined): Promise<void> => {
  await mkdir(path, { mode: 0o700 })
  if (user !== undefined) await chown(path, user.uid, user.gid)
}

const create = Effect.fnUntraced(function* (
  folder: string,
  home: string,
  binaries: Binaries,
  user: ServerUser | undefined,
) {
  const draft = join(folder, `${unfinished}${process.pid}-${randomBytes(4).toString("hex")}`)
  const data = join(draft, "data")
  yield* onDisk(folder, "prepare a database", async () => {
    await removeUnfinished(folder)
    await makeFolder(draft, user)
    await makeFolder(data, user)
    await writeSecretFile(join(draft, "password"), `${randomBytes(32).toString("hex")}\n`, user)
  })
  yield* initialise(folder, data, binaries, user)
  yield* onDisk(folder, "finish the database", async () => {
    await syncFolder(draft)
    await rename(draft, home)
    await syncFolder(folder)
  })
})

const giveTo = async (path: string, user: ServerUser): Promise<void> => {
  await lchown(path, user.uid, user.gid)
  const found = await readdir(path, { withFileTypes: true })
  for (const entry of found) {
    const inside = join(path, entry.name)
    if (entry.isDirectory()) await giveTo(inside, user)
    else await lchown(inside, user.uid, user.gid)
  }
}

/**
 * Opens the cluster of a data folder, and creates it if there is none. A new cluster is renamed
 * when it is complete and on disk, so that an interrupted creation simply starts again.
 */
export const openCluster = Effect.fnUntraced(function* (
  folder: string,
  binaries: Binaries,
  user: ServerUser | undefined,
) {
  const home = join(folder, "postgres")
  const found = yield* onDisk(folder, "look for a database", () => ifPresent(stat(home)))
  if (found === undefined) yield* create(folder, home, binaries, user)
  else if (user !== undefined && found.uid !== user.uid) {
    yield* onDisk(folder, `give ${home} to user ${user.uid}`, () => giveTo(home, user))
  }
  const data = join(home, "data")
  const password = (yield* onDisk(folder, "read the database's password", () =>
    readFile(join(home, "password"), "utf8"),
  )).trim()
  if (!/^[0-9a-f]{64}$/.test(password)) {
    return yield* new DataFolderUnusable({
      folder,
      message:
        `${join(home, "password")} is damaged. Restore it, or the whole data folder, from a ` +
        "backup.",
    })
  }
  const argument = yield* dataArgument(folder, data, user)
  const cluster: Cluster = {
    home,
    data,
    dataArgument: argument,
    password,
    created: found === undefined,
  }
  return cluster
})
