import { PgConnection } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { createHash } from "node:crypto"
import { PostgresFailed } from "./EmbeddedPostgresError.ts"
import type { ServerAddress } from "./serverAddress.ts"

/** Connection settings for `@effect/sql-pg`. `host` may be a socket's folder. */
export interface DatabaseConnection {
  readonly host: string
  readonly port: number
  readonly username: string
  readonly password: Redacted.Redacted
  readonly database: string
}

/** The name of the database and of its owner. */
const name = "payport"

/** The service's role, which owns nothing. */
const serviceName = "payport_service"

/** Derives the service's password from the owner's, which it does not reveal. */
const servicePassword = (password: string): string =>
  createHash("sha256").update(`${serviceName} ${password}`).digest("hex")

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

/** Returns the connection of the database's owner, who is no superuser. */
export const ownerConnection = (address: ServerAddress, password: string): DatabaseConnection =>
  connectionAs(address, password, name, name)

/** Returns the connection of the service's role. */
export const serviceConnection = (address: ServerAddress, password: string): DatabaseConnection =>
  connectionAs(address, servicePassword(password), serviceName, name)

/** Returns the connection as a URL, which `psql` and other processes accept, too. */
export const connectionUrl = (connection: DatabaseConnection): Redacted.Redacted => {
  const { host, port, username, password, database } = connection
  const login = `${username}:${Redacted.value(password)}`
  return Redacted.make(
    host.startsWith("/")
      ? `postgresql://${login}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`
      : `postgresql://${login}@${host}:${port}/${database}`,
  )
}

/** Logs in and reads the configuration that the server was started with; null if it has none. */
export const askConfiguration = Effect.fnUntraced(function* (connection: DatabaseConnection) {
  const session = yield* PgConnection.make(connection)
  const [row] = yield* session.queryValues("select current_setting('payport.configuration', true)")
  return row?.[0] ?? null
}, Effect.scoped)

const exists = Effect.fnUntraced(function* (
  session: PgConnection.PgConnection,
  query: string,
  sought: string,
) {
  const { rows } = yield* session.query(query, [sought])
  return rows.length > 0
})

const create = Effect.fnUntraced(function* (address: ServerAddress, password: string) {
  const session = yield* PgConnection.make(connectionAs(address, password, "postgres", "postgres"))
  const roles = [
    [name, "createdb", password],
    [serviceName, "", servicePassword(password)],
  ] as const
  for (const [role, rights, secret] of roles) {
    if (yield* exists(session, "select 1 from pg_roles where rolname = $1", role)) continue
    // The password is hexadecimal, and this kind of statement takes no parameters.
    yield* session.query(`create role ${role} login ${rights} password '${secret}'`)
  }
  if (!(yield* exists(session, "select 1 from pg_database where datname = $1", name))) {
    yield* session.query(`create database ${name} owner ${name}`)
  }
}, Effect.scoped)

/** Makes sure that both roles and the database exist, also after an interrupted first start. */
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
