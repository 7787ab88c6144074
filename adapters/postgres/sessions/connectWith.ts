import { PgConnection } from "@effect/sql-pg"
import { Effect, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { OurSchema } from "../OurSchema.ts"
import type { Row } from "../tables/Table.ts"

/** Asks one statement. */
export type Query = (
  sql: string,
  parameters?: ReadonlyArray<unknown>,
  prepare?: boolean,
) => Effect.Effect<{ readonly rows: ReadonlyArray<Row> }, SqlError>

/** How a session is asked. */
export interface Connection {
  /** Statements of ours, which name our schema `payport`, whatever it is called there. */
  readonly query: Query
  /** Statements of others, as they are written. */
  readonly queryAsWritten: Query
}

/** How sessions are made, and where the tables are. */
export interface DatabaseConfig extends PgConnection.Config {
  readonly schema: OurSchema
}

/** The connection with the schema's name put into what is asked on it. */
const placed = (connection: PgConnection.PgConnection, { place }: OurSchema): Connection => ({
  query: (sql, parameters, prepare) => connection.query(place(sql), parameters, prepare),
  queryAsWritten: (sql, parameters, prepare) => connection.query(sql, parameters, prepare),
})

/** What a session says of itself when it begins. */
export interface Standing {
  /** Whether its server follows another. */
  readonly follows: boolean
  /** Whether it takes no writes. */
  readonly read_only: boolean
  /** The server's process, which a pooler between does not know when it greets its client. */
  readonly process: number
}

const BEGIN = `SELECT (SELECT count(set_config(name, value, false))
    FROM json_each_text($1::text::json) AS given (name, value)) AS settings,
  pg_is_in_recovery() AS follows,
  current_setting('default_transaction_read_only')::boolean AS read_only,
  pg_backend_pid() AS process`

/**
 * Makes a connection until the scope closes. The settings of its session are given in its first
 * statement, with which it says what it is: poolers such as PgBouncer refuse them any earlier.
 */
export const connectWith = (
  config: DatabaseConfig,
): Effect.Effect<
  {
    readonly connection: Connection
    /** The connection itself, for what is no statement. */
    readonly raw: PgConnection.PgConnection
    readonly standing: Standing
  },
  SqlError,
  Scope.Scope
> =>
  Effect.gen(function* () {
    const { schema, startupParameters = {}, ...bare } = config
    // A socket of this machine does without TLS, as libpq has it; servers beside it do not.
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
