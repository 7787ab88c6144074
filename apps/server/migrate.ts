import { Effect, Result, type Scope } from "effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { startEmbeddedPostgres } from "../../adapters/postgres/embedded/startEmbeddedPostgres.ts"
import { moveDatabase } from "../../adapters/postgres/moveDatabase.ts"
import { migrateAs } from "../../adapters/postgres/PostgresStore.ts"
import { schemaSql } from "../../adapters/postgres/schemaSql.ts"
import { readConnection, readDatabaseUse, readMigration } from "./databaseSettings.ts"
import type { Output } from "./Output.ts"
import { readSettings } from "./settings.ts"
import { StartFailure } from "./StartFailure.ts"

/** Migrates the tables as their owner, for a service whose role owns nothing. */
export const migrate = Effect.fnUntraced(function* ({ result, say }: Output) {
  const { owner, service } = yield* readMigration
  const { oldest, taken } = yield* migrateAs(owner, service)
  for (const name of taken) yield* say(`The database has completed the migration step: ${name}.`)
  yield* say("The database is up to date, and the service's role has the privileges that it needs.")
  yield* say(`Processes of payport ${oldest} and later may run beside this version.`)
  yield* result({ taken, beside: oldest })
})

/** Prints the SQL of the schema, for those who migrate by other means, and changes nothing. */
export const printSchema = Effect.fnUntraced(function* (from: number, { result, say }: Output) {
  const { schema } = yield* readDatabaseUse
  const service = yield* readConnection
  const script = schemaSql({ schema, from, role: service?.username })
  const sql = yield* Effect.fromResult(
    Result.mapError(script, (message) => new StartFailure({ message })),
  )
  yield* say(sql)
  yield* result({ sql })
})

/** Moves the embedded database to the operator's server. The service's role then owns nothing. */
export const move = Effect.fnUntraced(function* ({
  result,
  say,
}: Output): Effect.fn.Return<void, unknown, Scope.Scope> {
  const { owner, service } = yield* readMigration
  const { data_dir: dataDirectory, database: use } = yield* readSettings
  if (!existsSync(join(dataDirectory, "postgres"))) {
    return yield* new StartFailure({
      message: `There is no embedded database in ${dataDirectory}: set PAYPORT_DATA_DIR.`,
    })
  }
  yield* migrateAs(owner, service)
  const embedded = yield* startEmbeddedPostgres({ dataDirectory })
  yield* migrateAs(embedded.connection, { ...embedded.service, ...use })
  const rows = yield* moveDatabase({ ...embedded.connection, ...use }, owner)
  yield* say(`${rows} rows were moved. The embedded database is as it was: start payport with`)
  yield* say("PAYPORT_DATABASE_URL and the same secrets, and keep the data folder until it runs.")
  yield* result({ rows })
}, Effect.scoped)
