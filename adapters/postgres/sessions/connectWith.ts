import { PgConnection } from "@effect/sql-pg"
import { Effect, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { OurSchema } from "../OurSchema.ts"
import type { Row } from "../tables/Table.ts"

/** Sends one statement. */
export type Query = (
  sql: string,
  parameters?: ReadonlyArray<unknown>,
  prepare?: boolean,
) => Effect.Effect<{ readonly rows: ReadonlyArray<Row> }, SqlError>

/** Sends statements over a session. */
export interface Connection {
  /** Sends a statement of ours, with the real name of the schema in place of `payport`. */
  readonly query: Query
  /** Sends a statement of others, unchanged. */
  readonly queryAsWritten: Query
}

/** How sessions are opened, and where the tables are. */
export interface DatabaseConfig extends PgConnection.Config {
  readonly schema: OurSchema
}

/** Replaces the schema's name in the statements sent over the connection. */
const placed = (connection: PgConnection.PgConnection, { place }: OurSchema): Connection => ({
  query: (sql, parameters, prepare) => connection.query(place(sql), parameters, prepare),
  queryAsWritten: (sql, parameters, prepare) => connection.query(sql, parameters, prepare),
})

/** The state that a session's first statement reads. */
export interface Standing {
  /** Whether its server is a replica. */
  readonly follows: boolean
  /** Whether it is read-only. */
  readonly read_only: boolean
  /** The process of the server. A pooler cannot know it when it greets its client. */
  readonly process: number
}

const BEGIN = `SELECT (SELECT count(set_config(name, value, false))
    FROM json_each_text($1::text::json) AS given (name, value)) AS settings,
  pg_is_in_recovery() AS follows,
  current_setting('default_transaction_read_only')::boolean AS read_only,
  pg_backend_pid() AS process`

/**
 * Makes a connection until the scope closes. Its first statement makes the session's settings and
 * reads its state, because poolers such as PgBouncer refuse earlier settings.
 */
export const connectWith = (
  config: DatabaseConfig,
): Effect.Effect<
  {
    readonly connection: Connection
    /** The connection itself, for everything that is no statement. */
    readonly raw: PgConnection.PgConnection
    readonly standing: Standing
  },
  SqlError,
  Scope.Scope
> =>
  Effect.gen(function* () {
    const { schema, startupParameters = {}, ...bare } = config
    // As in libpq, a socket of this machine needs no TLS. Other servers in the list do.
    const ssl = config.host?.startsWith("/") === true ? false : config.ssl
    const raw = yield* PgConnection.make({ ...bare, ssl })
    const { rows } = yield* raw.query(BEGIN, [JSON.stringify(startupParameters)], false)
    const [row = {}] = rows
    const standing: Standing = {
      follows: row["follows"] === true,
      read_only: row["read_only"] === true,
      process: Number(row["process"]),
    }
    return { connection: placed(raw, schema), raw, standing }
  })
