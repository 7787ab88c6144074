import { PgConnection } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { ConnectionSettings } from "../../adapters/postgres/ConnectionSettings.ts"
import { connectionUrl, ownerConnection } from "../../adapters/postgres/embedded/database.ts"
import { readPostmasterFile } from "../../adapters/postgres/embedded/postmasterFile.ts"
import type { TestDatabase } from "./postgres.ts"

/** Runs a query in a new session, and returns the rows. */
export const askDatabase = (
  database: ConnectionSettings,
  sql: string,
): Promise<ReadonlyArray<{ readonly [column: string]: unknown }>> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(
        PgConnection.make({ startupOptions: "-csearch_path=payport,public", ...database }),
        (session) => session.query(sql),
      ),
    ).pipe(Effect.map(({ rows }) => rows)),
  )

/** Returns the embedded server of the service on that data folder. */
export const embeddedServer = async (dataFolder: string) => {
  const file = await readPostmasterFile(join(dataFolder, "postgres/data"))
  if (file === undefined) return undefined
  const password = await readFile(join(dataFolder, "postgres/password"), "utf8")
  const address =
    file.socketFolder === ""
      ? ({ kind: "loopback", host: "127.0.0.1", port: file.port } as const)
      : ({ kind: "socket", folder: file.socketFolder, port: file.port } as const)
  return { pid: file.pid, connection: ownerConnection(address, password.trim()) }
}

/** The URL of a database, as a setting. */
export const urlOf = (database: TestDatabase): string =>
  Redacted.value(connectionUrl({ username: "", password: Redacted.make(""), ...database }))
