import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { type DatabaseConnection, serviceConnection } from "./database.ts"
import { addressOf, readPostmasterFile } from "./postmasterFile.ts"

/** Returns the service's connection to the folder's embedded server; undefined if none runs. */
export const findEmbeddedPostgres = async (
  dataDirectory: string,
): Promise<DatabaseConnection | undefined> => {
  const file = await readPostmasterFile(join(dataDirectory, "postgres/data"))
  if (file === undefined || file.status !== "ready") return undefined
  const password = await readFile(join(dataDirectory, "postgres/password"), "utf8")
  return serviceConnection(addressOf(file), password.trim())
}
