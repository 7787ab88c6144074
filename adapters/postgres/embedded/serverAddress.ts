import { Effect } from "effect"
import { createHash } from "node:crypto"
import { chmod, chown, lstat, mkdir } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DataFolderUnusable } from "./EmbeddedPostgresError.ts"
import { ifPresent, onDisk } from "./files.ts"
import { firstClosedFolder, type ServerUser } from "./serverUser.ts"

/** The address of a server: a socket folder, or a port of the loopback interface on Windows. */
export type ServerAddress =
  | { readonly kind: "socket"; readonly folder: string; readonly port: number }
  | { readonly kind: "loopback"; readonly host: string; readonly port: number }

// A socket's address holds 108 bytes on Linux and 104 elsewhere, including the final zero.
const longestPath = process.platform === "linux" ? 107 : 103

/** Returns the path of the socket in a folder. PostgreSQL names it after the port. */
export const socketPath = (folder: string, port: number): string => join(folder, `.s.PGSQL.${port}`)

const fits = (folder: string): boolean => Buffer.byteLength(socketPath(folder, 5432)) <= longestPath

const privateFolder = async (path: string, user: ServerUser | undefined): Promise<boolean> => {
  const uid = user?.uid ?? process.getuid?.()
  if ((await ifPresent(lstat(path))) === undefined) {
    await mkdir(path, { mode: 0o700 })
    if (user !== undefined) await chown(path, user.uid, user.gid)
    await chmod(path, 0o700)
  }
  const found = await lstat(path)
  return found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() =>
        typeof address === "object" && address !== null
          ? resolve(address.port)
          : reject(new Error("the system gave no port")),
      )
    })
  })

const temporarySocketFolder = Effect.fnUntraced(function* (
  folder: string,
  home: string,
  user: ServerUser | undefined,
) {
  const name = `payport-${createHash("sha256").update(home).digest("hex").slice(0, 16)}`
  for (const parent of [tmpdir(), "/tmp"]) {
    const path = join(parent, name)
    const usable = Effect.tryPromise(
      async () =>
        fits(path) &&
        (await firstClosedFolder(parent, user)) === undefined &&
        privateFolder(path, user),
    )
    if (yield* Effect.orElseSucceed(usable, () => false)) return path
  }
  return yield* new DataFolderUnusable({
    folder,
    message:
      `The path ${folder} is too long for a socket or closed to the database's user, and ` +
      `${join(tmpdir(), name)} cannot be used instead. Choose a data folder with a shorter path.`,
  })
})

/**
 * Chooses where the server of a cluster listens: on a socket beside the cluster that only its owner
 * may open. If that path is too long for a socket, or closed to the server's user, it is in a
 * private folder below the temporary one. Other users and the network cannot connect.
 */
export const chooseAddress = Effect.fnUntraced(function* (
  folder: string,
  home: string,
  user: ServerUser | undefined,
) {
  if (process.platform === "win32") {
    const port = yield* onDisk(folder, "find a free port for the database", freePort)
    const address: ServerAddress = { kind: "loopback", host: "127.0.0.1", port }
    return address
  }
  const closed = yield* onDisk(folder, "look at the folders", () => firstClosedFolder(home, user))
  const socketFolder =
    closed === undefined && fits(home) ? home : yield* temporarySocketFolder(folder, home, user)
  const address: ServerAddress = { kind: "socket", folder: socketFolder, port: 5432 }
  return address
})
