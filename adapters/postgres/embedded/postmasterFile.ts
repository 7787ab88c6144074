import { readFile, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import type { ServerAddress } from "./serverAddress.ts"
import { ifPresent, writeSecretFile } from "./files.ts"

/** The data that a running server writes into its cluster folder; empty strings until written. */
export interface PostmasterFile {
  readonly pid: number
  /** The cluster folder that the server was started with. */
  readonly data: string
  readonly port: number
  readonly socketFolder: string
  readonly status: string
}

const nameOf = (cluster: string): string => join(cluster, "postmaster.pid")

/** Reads `postmaster.pid`. Returns undefined if it is missing or holds no process number. */
export const readPostmasterFile = async (cluster: string): Promise<PostmasterFile | undefined> => {
  const text = await ifPresent(readFile(nameOf(cluster), "utf8"))
  if (text === undefined) return undefined
  const lines = text.split("\n").map((line) => line.trim())
  // A server in single-user mode writes its process number negated.
  const pid = Math.abs(Number(lines[0]))
  if (!Number.isSafeInteger(pid) || pid === 0) return undefined
  return {
    pid,
    data: lines[1] ?? "",
    port: Number(lines[3] ?? 0),
    socketFolder: lines[4] ?? "",
    status: lines[7] ?? "",
  }
}

/** Returns the address of the file's server. */
export const addressOf = (file: PostmasterFile): ServerAddress =>
  file.socketFolder === ""
    ? { kind: "loopback", host: "127.0.0.1", port: file.port }
    : { kind: "socket", folder: file.socketFolder, port: file.port }

/**
 * Releases the file of a server that is gone, whose process number another program may have by now.
 * PostgreSQL ignores its own parent's number, but still checks the shared memory that the file
 * names for processes of the old server. Deleting the file would lose that check.
 */
export const disownPostmasterFile = async (cluster: string): Promise<void> => {
  if (process.platform === "win32") return
  const file = nameOf(cluster)
  const text = await ifPresent(readFile(file, "utf8"))
  if (text === undefined) return
  const next = `${file}.next`
  await rm(next, { force: true })
  const owner = process.getuid?.() === 0 ? await stat(file) : undefined
  await writeSecretFile(next, text.replace(/^[^\n]*/, String(process.pid)), owner)
  await rename(next, file)
}
