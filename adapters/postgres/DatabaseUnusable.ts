import { Data } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { ConnectionSettings } from "./ConnectionSettings.ts"
import { databaseError } from "./failures.ts"

/** The database could not be used when the service started; the message says what to look at. */
export class DatabaseUnusable extends Data.TaggedError("DatabaseUnusable")<{
  readonly message: string
}> {}

/** `host:port/database`, never a login. */
const placeOf = ({ database, host = "localhost", port = 5432 }: ConnectionSettings): string =>
  `${host}:${port}${database === undefined ? "" : `/${database}`}`

/** Names the place and the reason of a failure to start. */
export const unusable =
  (settings: ConnectionSettings) =>
  (error: SqlError): DatabaseUnusable => {
    const { code, message } = databaseError(error)
    return new DatabaseUnusable({
      message: `The PostgreSQL database at ${placeOf(settings)} cannot be used: ${message}${
        code === undefined ? "" : ` [${code}]`
      }. Is it running there, and are its address, name, user and password right?`,
    })
  }
