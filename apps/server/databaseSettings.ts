import { Effect, type Redacted } from "effect"
import { requiredBy, read, secret } from "./variables.ts"

const isDatabaseUrl = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && /^postgres(ql)?:$/.test(url.protocol)
}

const URL_WANTED = "a URL such as postgresql://user:password@host:5432/database"

/** The variables of the database, for the help. */
export const databaseVariables = {
  database_url: secret(
    "PAYPORT_DATABASE_URL",
    URL_WANTED,
    "unset: the embedded PostgreSQL",
    isDatabaseUrl,
  ),
  migration_url: secret(
    "PAYPORT_MIGRATION_URL",
    `${URL_WANTED}, of the role that owns the tables`,
    "unset: for migrate alone",
    isDatabaseUrl,
  ),
}

/** The database as its owner reaches it, and as the service does. */
export const readMigration = Effect.gen(function* () {
  const { database_url, migration_url } = databaseVariables
  const service: Redacted.Redacted | undefined = yield* read(database_url)
  const owner = yield* read(migration_url)
  if (owner === undefined) return yield* requiredBy(migration_url, database_url)
  if (service === undefined) return yield* requiredBy(database_url, migration_url)
  return { owner, service }
})
