import { Effect } from "effect"
import { readFile, stat } from "node:fs/promises"
import { dirname } from "node:path"
import { DataFolderUnusable } from "./EmbeddedPostgresError.ts"
import { ifPresent, onDisk } from "./files.ts"

/** The numeric user and group a server runs as. */
export interface ServerUser {
  readonly uid: number
  readonly gid: number
}

const candidates = ["postgres", "_postgres", "nobody"]

const passwdUsers = async (): Promise<Map<string, ServerUser>> => {
  const text = await ifPresent(readFile("/etc/passwd", "utf8"))
  const users = new Map<string, ServerUser>()
  for (const line of (text ?? "").split("\n")) {
    const [name, , uid, gid] = line.split(":")
    if (name !== undefined && uid !== undefined && gid !== undefined) {
      users.set(name, { uid: Number(uid), gid: Number(gid) })
    }
  }
  return users
}

/**
 * Returns the user that runs PostgreSQL; undefined for the service's own. PostgreSQL refuses to run
 * as root. A service of root's uses the owner of the cluster, or else a system user.
 */
export const findServerUser = Effect.fnUntraced(function* (folder: string, cluster: string) {
  const own = process.getuid?.()
  if (own === undefined) return undefined
  const existing = yield* onDisk(folder, "look for a database", () => ifPresent(stat(cluster)))
  if (own !== 0) {
    if (existing === undefined || existing.uid === own) return undefined
    return yield* new DataFolderUnusable({
      folder,
      message:
        `${cluster} belongs to user ${existing.uid}, and payport runs as user ${own}. ` +
        `Run it as that user, or once as root: chown -R ${own} ${cluster}`,
    })
  }
  if (existing !== undefined && existing.uid !== 0) {
    return { uid: existing.uid, gid: existing.gid }
  }
  const users = yield* onDisk(folder, "find a user for the database", passwdUsers)
  for (const name of candidates) {
    const user = users.get(name)
    if (user !== undefined && user.uid !== 0) return user
  }
  return yield* new DataFolderUnusable({
    folder,
    message:
      "PostgreSQL cannot run as root, and there is neither a user postgres nor nobody. " +
      "Create one (useradd --system postgres) or run payport as an ordinary user.",
  })
})

const READ = 4
const ENTER = 1

const allows = async (path: string, user: ServerUser, bits: number): Promise<boolean> => {
  const found = await stat(path)
  const shift = found.uid === user.uid ? 6 : found.gid === user.gid ? 3 : 0
  return ((found.mode >> shift) & bits) === bits
}

/** Returns the topmost folder of `path`, including `path`, that the user may not enter. */
export const firstClosedFolder = async (
  path: string,
  user: ServerUser | undefined,
): Promise<string | undefined> => {
  if (user === undefined) return undefined
  const above = dirname(path)
  const closed = above === path ? undefined : await firstClosedFolder(above, user)
  if (closed !== undefined) return closed
  return (await allows(path, user, ENTER)) ? undefined : path
}

/** Whether the user may read all paths, enter the folders and run the programs. */
export const mayReadAndRun = async (
  paths: ReadonlyArray<string>,
  user: ServerUser | undefined,
): Promise<boolean> => {
  if (user === undefined) return true
  for (const path of paths) {
    if (!(await allows(path, user, READ | ENTER))) return false
  }
  return true
}
