import { readFile, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import type { ServerAddress } from "./serverAddress.ts"
import { ifPresent, writeSecretFile } from "./files.ts"

/** What a running server writes into its cluster folder; empty strings where it has not yet. */
export interface PostmasterFile {
  readonly pid: number
  readonly port: number
  readonly socketFolder: string
  readonly status: string
}

const nameOf = (cluster: string): string => join(cluster, "postmaster.pid")

/** Reads `postmaster.pid`, or undefined if there is none or it holds no process number. */
export const readPostmasterFile = async (cluster: string): Promise<PostmasterFile | undefined> => {
  const text = await ifPresent(readFile(nameOf(cluster), "utf8"))
  if (text === undefined) return undefined
  const lines = text.split("\n").map((line) => line.trim())
  // A server in single-user mode writes its number negated.
  const pid = Math.abs(Number(lines[0]))
  if (!Number.isSafeInteger(pid) || pid === 0) return undefined
  return {
    pid,
    port: Number(lines[3] ?? 0),
    socketFolder: lines[4] ?? "",
    status: lines[7] ?? "",
  }
}

/** Where the server of the file is reached. */
export const addressOf = (file: PostmasterFile): ServerAddress =>
  file.socketFolder === ""
    ? { kind: "loopback", host: "127.0.0.1", port: file.port }
    : { kind: "socket", folder: file.socketFolder, port: file.port }

/**
 * Lets the next server take over a file whose writer is gone, though its number may live on in
 * another program. PostgreSQL disregards its own parent's number but still makes sure, by the
 * shared memory that the file names, that no process of the old server is left; deleting the file
 * would lose that check.
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
