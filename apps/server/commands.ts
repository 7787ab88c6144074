import { Effect, Result } from "effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { startEmbeddedPostgres } from "../../adapters/postgres/embedded/startEmbeddedPostgres.ts"
import { moveDatabase } from "../../adapters/postgres/moveDatabase.ts"
import { migrateAs } from "../../adapters/postgres/PostgresStore.ts"
import { schemaSql } from "../../adapters/postgres/schemaSql.ts"
import { type Evidence, verifyAudit } from "./auditVerify.ts"
import { readConnection, readDatabaseUse, readMigration } from "./databaseSettings.ts"
import { doctor } from "./doctor/examine.ts"
import { readNextMasterKey } from "./masterKeySettings.ts"
import { rotation } from "./rotateMasterKey.ts"
import { openMasterKey, openSecrets } from "./secrets.ts"
import { database } from "./services.ts"
import { readSettings } from "./settings.ts"
import { StartFailure } from "./address.ts"

type Print = (text: string) => Effect.Effect<void>

/** Brings the tables up to date as their owner, for a service that owns nothing. */
const migrate = Effect.fnUntraced(function* (print: Print) {
  const { owner, service } = yield* readMigration
  const { oldest, taken } = yield* migrateAs(owner, service)
  for (const name of taken) yield* print(`The database has taken the step: ${name}.`)
  yield* print("The database is up to date, and the service's role has the rights that it needs.")
  yield* print(`Processes of payport ${oldest} and later may run beside this version.`)
})

/** Prints the SQL of the schema for who runs migrations by other means, and touches nothing. */
const printSchema = Effect.fnUntraced(function* (from: number, print: Print) {
  const { schema } = yield* readDatabaseUse
  const service = yield* readConnection
  const script = schemaSql({ schema, from, role: service?.username })
  yield* print(
    yield* Effect.fromResult(Result.mapError(script, (message) => new StartFailure({ message }))),
  )
})

/** `migrate [--print [--from STEP]]`; undefined for other arguments. */
const migration = (args: ReadonlyArray<string>, print: Print) => {
  if (args.length === 0) return migrate(print)
  const [how, from, step = "", ...more] = args
  if (how !== "--print" || more.length > 0) return undefined
  if (from === undefined) return printSchema(0, print)
  return from === "--from" && /^\d{1,4}$/.test(step) ? printSchema(Number(step), print) : undefined
}

/** Moves the embedded database to a server of the operator's, whose service then owns nothing. */
const move = Effect.fnUntraced(function* (print: Print) {
  const { owner, service } = yield* readMigration
  const { data_dir: dataDirectory } = yield* readSettings
  if (!existsSync(join(dataDirectory, "postgres"))) {
    return yield* new StartFailure({
      message: `There is no embedded database in ${dataDirectory}: set PAYPORT_DATA_DIR.`,
    })
  }
  yield* migrateAs(owner, service)
  const embedded = yield* startEmbeddedPostgres({ dataDirectory })
  yield* migrateAs(embedded.connection, embedded.service)
  const rows = yield* moveDatabase(embedded.connection, owner)
  yield* print(`${rows} rows were moved. The embedded database is as it was: start payport with`)
  yield* print("PAYPORT_DATABASE_URL and the same secrets, and keep the data folder until it runs.")
}, Effect.scoped)

const rotateMasterKey = Effect.fnUntraced(function* (finish: boolean, print: Print) {
  const settings = yield* readSettings
  const place = yield* readNextMasterKey
  if (place === undefined) {
    return yield* new StartFailure({
      message:
        "PAYPORT_NEXT_MASTER_KEY has to be set: the key that is to take the old one's place.",
    })
  }
  const next = yield* openMasterKey(place)
  const { master_key: old } = yield* openSecrets(settings)
  yield* rotation(database(settings), { old, next }, finish, print)
})

/** `audit verify [--key KEY] LOG [HEADS | SEQUENCE:HASH]...`; undefined for other arguments. */
const evidenceOf = ([verb, ...args]: ReadonlyArray<string>): Evidence | undefined => {
  const [key, rest] = args[0] === "--key" ? [args[1], args.slice(2)] : [undefined, args]
  const [log, ...heads] = rest
  const isRight = verb === "verify" && rest.every((arg) => !arg.startsWith("--"))
  return isRight && log !== undefined ? { log, heads, key } : undefined
}

/** What a command other than `start` does; undefined for names and arguments that are none. */
export const commandOf = (
  name: string,
  args: ReadonlyArray<string>,
  print: Print,
): Effect.Effect<unknown, unknown> | undefined => {
  if (name === "audit") {
    const evidence = evidenceOf(args)
    return evidence && verifyAudit(evidence, print)
  }
  if (name === "doctor" && args.every((arg) => arg === "--json")) {
    return doctor(args.length > 0, print)
  }
  if (name === "migrate") return migration(args, print)
  if (name === "move" && args.length === 0) return move(print)
  const isPlain = args.every((arg) => arg === "--finish")
  return name === "rotate-master-key" && isPlain
    ? rotateMasterKey(args.includes("--finish"), print)
    : undefined
}
