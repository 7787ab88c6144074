import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { type DatabaseConnection, serviceConnection } from "./database.ts"
import { addressOf, readPostmasterFile } from "./postmasterFile.ts"

/** The embedded server that runs on the data folder, as the service's role; undefined for none. */
export const findEmbeddedPostgres = async (
  dataDirectory: string,
): Promise<DatabaseConnection | undefined> => {
  const file = await readPostmasterFile(join(dataDirectory, "postgres/data"))
  if (file === undefined || file.status !== "ready") return undefined
  const password = await readFile(join(dataDirectory, "postgres/password"), "utf8")
  return serviceConnection(addressOf(file), password.trim())
}
