import { Effect, Result } from "effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { startEmbeddedPostgres } from "../../adapters/postgres/embedded/startEmbeddedPostgres.ts"
import { moveDatabase } from "../../adapters/postgres/moveDatabase.ts"
import { migrateAs } from "../../adapters/postgres/PostgresStore.ts"
import { schemaSql } from "../../adapters/postgres/schemaSql.ts"
import {
  anyText,
  BadOptions,
  day,
  type Given,
  readCommandLine,
  type Readers,
  wholeNumber,
} from "../commandLine.ts"
import { archive, verifyArchive } from "./archive/archive.ts"
import { verifyAudit } from "./auditVerify.ts"
import { readConnection, readDatabaseUse, readMigration } from "./databaseSettings.ts"
import { doctor } from "./doctor/examine.ts"
import { readNextMasterKey } from "./masterKeySettings.ts"
import { type Output, outputOf, type Print } from "./Output.ts"
import { rotation } from "./rotateMasterKey.ts"
import { openMasterKey, openSecrets } from "./secrets.ts"
import { database } from "./services.ts"
import { readSettings } from "./settings.ts"
import { StartFailure } from "./address.ts"

/** Migrates the tables as their owner, for a service whose role owns nothing. */
const migrate = Effect.fnUntraced(function* ({ result, say }: Output) {
  const { owner, service } = yield* readMigration
  const { oldest, taken } = yield* migrateAs(owner, service)
  for (const name of taken) yield* say(`The database has completed the migration step: ${name}.`)
  yield* say("The database is up to date, and the service's role has the privileges that it needs.")
  yield* say(`Processes of payport ${oldest} and later may run beside this version.`)
  yield* result({ taken, beside: oldest })
})

/** Prints the SQL of the schema, for those who migrate by other means, and changes nothing. */
const printSchema = Effect.fnUntraced(function* (from: number, { result, say }: Output) {
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
const move = Effect.fnUntraced(function* ({ result, say }: Output) {
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

const rotateMasterKey = Effect.fnUntraced(function* (finish: boolean, output: Output) {
  const settings = yield* readSettings
  const place = yield* readNextMasterKey
  if (place === undefined && !finish) {
    return yield* new StartFailure({
      message: "PAYPORT_NEXT_MASTER_KEY has to be set to the key that replaces the old one.",
    })
  }
  const replacing = place === undefined ? undefined : yield* openMasterKey(place)
  const { master_key: old } = yield* openSecrets(settings)
  const next = replacing ?? old
  yield* rotation(database(settings), { old, next }, finish, output)
})

/** Runs a command after its arguments are read; undefined if they ask for `--help`. */
type Command = (
  args: ReadonlyArray<string>,
  print: Print,
) => Effect.Effect<unknown, unknown> | undefined

/** Makes a command with these options, besides `--json` and `--help`. */
const command =
  <R extends Readers>(
    options: R,
    run: (
      given: Given<R>,
      output: Output,
      positionals: ReadonlyArray<string>,
    ) => Effect.Effect<unknown, unknown>,
    allowPositionals = false,
  ): Command =>
  (args, print) => {
    const read = readCommandLine(args, { ...options, json: "flag" } as const, allowPositionals)
    if (read === undefined) return undefined
    const { given, positionals } = read
    return run(given, outputOf(given.json === true, print), positionals)
  }

const COMMANDS: { readonly [name: string]: Command } = {
  migrate: command({ print: "flag", from: wholeNumber(0, 9_999) }, ({ from, print }, output) => {
    if (print) return printSchema(from ?? 0, output)
    if (from !== undefined) throw new BadOptions("--from goes with --print.")
    return migrate(output)
  }),
  move: command({}, (_, output) => move(output)),
  archive: command({ before: day, verify: "flag" }, ({ before, verify }, output) => {
    if (!verify) return archive(before, output)
    if (before !== undefined) throw new BadOptions("--before does not go with --verify.")
    return verifyArchive(output)
  }),
  doctor: command({}, (_, output) => doctor(output)),
  audit: command(
    { key: anyText },
    ({ key }, output, [verb, log, ...heads]) => {
      if (verb !== "verify") throw new BadOptions("The only audit command is payport audit verify.")
      if (log === undefined) throw new BadOptions("The copy of the log is missing.")
      return verifyAudit({ log, heads, key }, output)
    },
    true,
  ),
  "rotate-master-key": command({ finish: "flag" }, ({ finish }, output) =>
    rotateMasterKey(finish, output),
  ),
}

/**
 * Returns what a command other than `start` runs; undefined for an unknown name, null if its help
 * is asked for. Throws `BadOptions`.
 */
export const commandOf = (
  name: string,
  args: ReadonlyArray<string>,
  print: Print,
): Effect.Effect<unknown, unknown> | null | undefined => {
  if (!Object.hasOwn(COMMANDS, name)) return undefined
  return COMMANDS[name]?.(args, print) ?? null
}
