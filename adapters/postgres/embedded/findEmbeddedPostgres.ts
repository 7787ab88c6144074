import { readFile, realpath } from "node:fs/promises"
import { join } from "node:path"
import { type DatabaseConnection, serviceConnection } from "./database.ts"
import { addressOf, type PostmasterFile, readPostmasterFile } from "./postmasterFile.ts"
import { isPostgres, servesFolder } from "./processes.ts"

/**
 * Whether a server runs on the cluster folder, a real path. A crash leaves its file behind, and a
 * copy of the folder has the file of the original's server. Linux does not show everybody where
 * another user's process works: then the folder that the server was started with decides.
 */
const isServed = async ({ data, pid }: PostmasterFile, cluster: string): Promise<boolean> =>
  (await servesFolder(pid, cluster)) || (data === cluster && (await isPostgres(pid)))

/**
 * Returns the process number of a server that is said to be ready, but of which this system shows
 * no process: it was killed, or runs in another container. Undefined if nothing says so.
 */
export const hiddenEmbeddedPostgres = async (
  dataDirectory: string,
): Promise<number | undefined> => {
  const cluster = join(dataDirectory, "postgres/data")
  const file = await readPostmasterFile(cluster)
  if (file === undefined || file.status !== "ready") return undefined
  return (await isServed(file, await realpath(cluster))) ? undefined : file.pid
}

/** Returns the service's connection to the folder's embedded server; undefined if none runs. */
export const findEmbeddedPostgres = async (
  dataDirectory: string,
): Promise<DatabaseConnection | undefined> => {
  const cluster = join(dataDirectory, "postgres/data")
  const file = await readPostmasterFile(cluster)
  if (file === undefined || file.status !== "ready") return undefined
  if (!(await isServed(file, await realpath(cluster)))) return undefined
  const password = await readFile(join(dataDirectory, "postgres/password"), "utf8")
  return serviceConnection(addressOf(file), password.trim())
}
