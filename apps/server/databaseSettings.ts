import { Config, Effect, Option, Redacted, Result } from "effect"
import type { ConnectionSettings } from "../../adapters/postgres/ConnectionSettings.ts"
import { connectionOf, PG_VARIABLES } from "../../adapters/postgres/ConnectionUrl.ts"
import { flawOfName } from "../../adapters/postgres/OurSchema.ts"
import { StartFailure } from "./StartFailure.ts"
import { read, requiredBy, secret, type Variable, variable } from "./variables.ts"

const isDatabaseUrl = (text: string): boolean => /^postgres(ql)?:\/\//.test(text)

const URL_WANTED =
  "a URL such as postgresql://user:password@host:5432/database" +
  "?sslmode=verify-full&sslrootcert=system"

const parseConnections = (text: string): number | undefined =>
  /^[1-9]\d?$/.test(text) ? Number(text) : undefined

const parseLag = (text: string): number | undefined =>
  /^[1-9]\d{0,2}$/.test(text) && Number(text) <= 300 ? Number(text) : undefined

/** Splits a list of URLs. A URL of several servers contains commas itself. */
const replicaUrls = (text: string): ReadonlyArray<string> =>
  text.split(/,(?=\s*postgres(?:ql)?:\/\/)/).map((url) => url.trim())

const CONNECTIONS = "a number of connections from 1 to 99"

/** The variables of the database, for the help. */
export const databaseVariables = {
  database_url: secret(
    "PAYPORT_DATABASE_URL",
    URL_WANTED,
    "unset: the embedded PostgreSQL; what it leaves out PGHOST, PGPASSWORD, PGSSLMODE … say",
    isDatabaseUrl,
  ),
  direct_url: secret(
    "PAYPORT_DATABASE_DIRECT_URL",
    `${URL_WANTED}, of PostgreSQL itself where PAYPORT_DATABASE_URL is that of a pooler`,
    "unset; PgBouncer needs it with pool_mode=transaction, for what needs a session of its own",
    isDatabaseUrl,
  ),
  replica_url: secret(
    "PAYPORT_REPLICA_URL",
    `${URL_WANTED}, of a server that follows the primary; several with commas between`,
    "unset: the primary answers lists, searches and reports, too",
    (text) => replicaUrls(text).every(isDatabaseUrl),
  ),
  replica_lag: variable(
    "PAYPORT_REPLICA_LAG",
    "a number of seconds from 1 to 300",
    "10; a replica further behind answers nobody",
    parseLag,
  ),
  migration_url: secret(
    "PAYPORT_MIGRATION_URL",
    `${URL_WANTED}, of the role that owns the tables`,
    "unset: for migrate alone",
    isDatabaseUrl,
  ),
  database_schema: variable(
    "PAYPORT_DATABASE_SCHEMA",
    "the name of a schema, as it is: letters, digits, _, - and spaces, not beginning with a digit",
    "payport, or public where that has a payport already; made by migrate, or the first start",
    (text) => (flawOfName(text) === undefined ? text : undefined),
  ),
  read_connections: variable(
    "PAYPORT_READ_CONNECTIONS",
    `${CONNECTIONS} for short reads, each of which carries many at a time`,
    "2; a process has these, those for work, and three more",
    parseConnections,
  ),
  work_connections: variable(
    "PAYPORT_WORK_CONNECTIONS",
    `${CONNECTIONS} for longer reads and upkeep`,
    "4",
    parseConnections,
  ),
}

/** How a process uses the database, as far as settings say so. */
export type DatabaseUse = Pick<ConnectionSettings, "schema" | "readConnections" | "workConnections">

const parsedUrl = Effect.fnUntraced(function* (name: string, url: string) {
  const environment: { [variable: string]: string | undefined } = {}
  for (const variableName of PG_VARIABLES) {
    const option = Config.option(Config.String(variableName))
    const found = yield* Effect.orElseSucceed(option, Option.none)
    environment[variableName] = Option.getOrUndefined(found)
  }
  const parsed = Result.mapError(
    connectionOf(url, environment),
    (problem) => new StartFailure({ message: `${name} ${problem}.` }),
  )
  return yield* Effect.fromResult(parsed)
})

const readUrl = Effect.fnUntraced(function* (of: Variable<Redacted.Redacted>) {
  const url = yield* read(of)
  return url === undefined ? undefined : yield* parsedUrl(of.name, Redacted.value(url))
})

const readReplicas = Effect.gen(function* () {
  const { replica_lag, replica_url } = databaseVariables
  const urls = yield* read(replica_url)
  const longestLag = yield* read(replica_lag)
  if (urls === undefined) {
    return longestLag === undefined ? {} : yield* requiredBy(replica_url, replica_lag)
  }
  const servers = yield* Effect.forEach(replicaUrls(Redacted.value(urls)), (url) =>
    parsedUrl(replica_url.name, url),
  )
  return { replicas: { servers, ...(longestLag === undefined ? {} : { longestLag }) } }
})

/** Reads the database and how the service connects to it; undefined for the embedded one. */
export const readConnection = Effect.gen(function* () {
  const { database_url, direct_url, replica_url } = databaseVariables
  const connection = yield* readUrl(database_url)
  const direct = yield* readUrl(direct_url)
  const replicas = yield* readReplicas
  if (connection === undefined) {
    if (direct !== undefined) return yield* requiredBy(database_url, direct_url)
    return "replicas" in replicas ? yield* requiredBy(database_url, replica_url) : undefined
  }
  return { ...connection, ...(direct === undefined ? {} : { direct }), ...replicas }
})

const readSchema = Effect.map(read(databaseVariables.database_schema), (schema) =>
  schema === undefined ? {} : { schema },
)

export const readDatabaseUse = Effect.gen(function* () {
  const readConnections = yield* read(databaseVariables.read_connections)
  const workConnections = yield* read(databaseVariables.work_connections)
  return {
    ...(yield* readSchema),
    ...(readConnections === undefined ? {} : { readConnections }),
    ...(workConnections === undefined ? {} : { workConnections }),
  } satisfies DatabaseUse
})

/** Reads how the owner and how the service connect to the database. */
export const readMigration = Effect.gen(function* () {
  const { database_url, migration_url } = databaseVariables
  const service = yield* readConnection
  const owner = yield* readUrl(migration_url)
  if (owner === undefined) return yield* requiredBy(migration_url, database_url)
  if (service === undefined) return yield* requiredBy(database_url, migration_url)
  const schema = yield* readSchema
  return { owner: { ...owner, ...schema }, service: { ...service, ...schema } }
})
