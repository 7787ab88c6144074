import { PgConnection } from "@effect/sql-pg"
import { Effect, Exit, Redacted, Scope } from "effect"
import {
  type DatabaseConnection,
  connectionUrl,
} from "../../adapters/postgres/embedded/database.ts"
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "../../adapters/postgres/embedded/startEmbeddedPostgres.ts"

type Row = { readonly [column: string]: unknown }

/** The PostgreSQL server that the service and the database's own limit are measured on. */
export interface Server {
  readonly connection: (database: string) => DatabaseConnection
  readonly url: (database: string) => string
  /** Makes an empty database. */
  readonly create: (database: string) => Promise<void>
  readonly drop: (database: string) => Promise<void>
  /** Runs one statement without a time limit. */
  readonly query: (
    database: string,
    sql: string,
    parameters?: ReadonlyArray<unknown>,
  ) => Promise<ReadonlyArray<Row>>
  /** Writes pending changes to disk, so that no measurement pays for an earlier one. */
  readonly checkpoint: () => Promise<void>
  readonly stop: () => Promise<void>
}

const ask = (
  connection: DatabaseConnection,
  sql: string,
  parameters: ReadonlyArray<unknown> = [],
): Promise<ReadonlyArray<Row>> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(
        PgConnection.make({ ...connection, startupOptions: "-csearch_path=payport" }),
        (session) => session.query(sql, parameters, false),
      ),
    ).pipe(Effect.map(({ rows }) => rows)),
  )

const isDurable = async (connection: DatabaseConnection) => {
  const [row] = await ask(
    connection,
    "SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit",
  )
  return row?.["fsync"] === "on" && row["commit"] === "on"
}

/** Returns the server behind the connection. Fails if its commits are not durable. */
export const serverOn = async (
  own: DatabaseConnection,
  stop: () => Promise<void>,
): Promise<Server> => {
  const connection = (database: string) => ({ ...own, database })
  if (!(await isDurable(own))) {
    throw new Error("The database has fsync or synchronous_commit off: nothing would be durable.")
  }
  const operator = { ...connection("postgres"), username: "postgres" }
  return {
    connection,
    url: (database) => Redacted.value(connectionUrl(connection(database))),
    create: async (database) => void (await ask(own, `CREATE DATABASE ${database}`)),
    drop: async (database) => void (await ask(operator, `DROP DATABASE ${database} WITH (FORCE)`)),
    query: (database, sql, parameters) => ask(connection(database), sql, parameters),
    checkpoint: async () => void (await ask(operator, "CHECKPOINT")),
    stop,
  }
}

/** Starts a server as the service has it by default, with its data in the folder. */
export const startServer = async (dataDirectory: string): Promise<Server> => {
  const scope = Scope.makeUnsafe()
  const { connection }: EmbeddedPostgres = await Effect.runPromise(
    Effect.provideService(startEmbeddedPostgres({ dataDirectory }), Scope.Scope, scope),
  )
  return serverOn(connection, () => Effect.runPromise(Scope.close(scope, Exit.void)))
}
