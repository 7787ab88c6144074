import type { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"

/** The files of a release, as `leave.ts` writes them. */
export interface Release {
  readonly statements: ReadonlyArray<string>
  readonly tables: ReadonlyArray<{
    readonly table: string
    readonly columns: ReadonlyArray<string>
    readonly rows: ReadonlyArray<{ readonly id?: string }>
    /** The rows as they were written, to the digit. */
    readonly text: string
  }>
  /** Its settings that hold keys. */
  readonly keys: { readonly [variable: string]: string }
  readonly answers: ReadonlyArray<{
    readonly key: string
    readonly path: string
    readonly body: object
  }>
}

type Schema = Pick<Release, "statements">
type Answers = Pick<Release, "keys" | "answers">
type Table = Release["tables"][number]

const unpacked = (folder: string, name: string): string => {
  const packed = readFileSync(join(folder, `${name}.base64`), "utf8")
  return gunzipSync(Buffer.from(packed, "base64")).toString("utf8")
}

/** Returns the story of the release's client, as a module that exports `tell`. */
export const readStory = (folder: string): string => unpacked(folder, "client")

/** Reads the folder of a release. */
export const readRelease = (folder: string): Release => {
  const schema = unpacked(folder, "schema")
  const lines = readFileSync(join(folder, "data.jsonl"), "utf8").trimEnd().split("\n")
  const answers = JSON.parse(readFileSync(join(folder, "answers.json"), "utf8")) as Answers
  const tables = lines.map((text) => ({ ...(JSON.parse(text) as Table), text }))
  return { ...(JSON.parse(schema) as Schema), ...answers, tables }
}

/** The triggers that would refuse restored rows, or count them again. */
const TRIGGERS = `SELECT tgname::text AS name, tgrelid::regclass::text AS table FROM pg_trigger
  WHERE NOT tgisinternal`

/** Makes the release's database in an empty one, as its owner. */
export const restore = Effect.fnUntraced(function* (
  session: PgConnection.PgConnection,
  { statements, tables }: Release,
) {
  for (const sql of statements) yield* session.query(sql, [], false)
  const { rows: triggers } = yield* session.query(TRIGGERS)
  const alter = (how: string) =>
    Effect.forEach(triggers, ({ name, table }) =>
      session.query(`ALTER TABLE ${String(table)} ${how} TRIGGER ${String(name)}`, [], false),
    )
  yield* alter("DISABLE")
  for (const { columns, table, text } of tables) {
    const names = columns.join(", ")
    yield* session.query(`DELETE FROM ${table}`, [], false)
    yield* session.query(
      `INSERT INTO ${table} (${names}) SELECT ${names}
      FROM json_populate_recordset(NULL::${table}, $1::text::json -> 'rows')`,
      [text],
    )
  }
  yield* alter("ENABLE ALWAYS")
})
