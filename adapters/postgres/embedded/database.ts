import { PgConnection } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { PostgresFailed } from "./EmbeddedPostgresError.ts"
import type { ServerAddress } from "./serverAddress.ts"

/** Settings of a connection, as `@effect/sql-pg` takes them; `host` may be a socket's folder. */
export interface DatabaseConnection {
  readonly host: string
  readonly port: number
  readonly username: string
  readonly password: Redacted.Redacted
  readonly database: string
}

const name = "payport"

const connectionAs = (
  address: ServerAddress,
  password: string,
  user: string,
  database: string,
): DatabaseConnection => ({
  host: address.kind === "socket" ? address.folder : address.host,
  port: address.port,
  username: user,
  password: Redacted.make(password),
  database,
})

/** The service's own connection: the owner of its database, who is no superuser. */
export const serviceConnection = (address: ServerAddress, password: string): DatabaseConnection =>
  connectionAs(address, password, name, name)

/** The same as a URL that `psql` and other processes take too. */
export const connectionUrl = (connection: DatabaseConnection): Redacted.Redacted => {
  const { host, port, username, password, database } = connection
  const login = `${username}:${Redacted.value(password)}`
  return Redacted.make(
    host.startsWith("/")
      ? `postgresql://${login}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`
      : `postgresql://${login}@${host}:${port}/${database}`,
  )
}

/** Logs in and asks which configuration the server was started with; null if it names none. */
export const askConfiguration = Effect.fnUntraced(function* (connection: DatabaseConnection) {
  const session = yield* PgConnection.make(connection)
  const [row] = yield* session.queryValues("select current_setting('payport.configuration', true)")
  return row?.[0] ?? null
}, Effect.scoped)

const exists = Effect.fnUntraced(function* (session: PgConnection.PgConnection, query: string) {
  const { rows } = yield* session.query(query, [name])
  return rows.length > 0
})

const create = Effect.fnUntraced(function* (address: ServerAddress, password: string) {
  const session = yield* PgConnection.make(connectionAs(address, password, "postgres", "postgres"))
  if (!(yield* exists(session, "select 1 from pg_roles where rolname = $1"))) {
    // The password is hexadecimal, and a statement of this kind takes no parameters.
    yield* session.query(`create role ${name} login createdb password '${password}'`)
  }
  if (!(yield* exists(session, "select 1 from pg_database where datname = $1"))) {
    yield* session.query(`create database ${name} owner ${name}`)
  }
}, Effect.scoped)

/** Makes sure the service's role and database are there, also after an interrupted first start. */
export const ensureDatabase = Effect.fnUntraced(function* (
  folder: string,
  address: ServerAddress,
  password: string,
  isNew: boolean,
) {
  const check = askConfiguration(serviceConnection(address, password))
  const created = Effect.andThen(create(address, password), check)
  yield* (isNew ? created : Effect.catch(check, () => created)).pipe(
    Effect.mapError(
      (cause) =>
        new PostgresFailed({
          folder,
          step: "connect",
          message: `The embedded PostgreSQL in ${folder} runs but cannot be used: ${cause.message}`,
          cause,
        }),
    ),
  )
})
