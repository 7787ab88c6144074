import { Data, Effect } from "effect"
import type { ConnectionSettings } from "./ConnectionSettings.ts"
import { configOf, withoutTimeLimit } from "./access.ts"
import { type OurSchema, quotedName } from "./OurSchema.ts"
import { OUR_TABLES } from "./schema/privileges.ts"
import { type Connection, connectWith } from "./sessions/connectWith.ts"

/** Why nothing was moved. The message says what to do. */
class CannotMove extends Data.TaggedError("CannotMove")<{ readonly message: string }> {}

type Session = Connection

/** The number of rows per batch. */
const BATCH = 500

/** The tables with their written columns. `payport_schema` belongs to the migration. */
const TABLES = `SELECT relname AS name,
    string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns
  FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
  WHERE relnamespace = $1::regnamespace AND relkind = 'r' AND relname = ANY ($2)
    AND relname <> 'payport_schema' AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
  GROUP BY relname ORDER BY relname`

const TRIGGERS = `SELECT relname AS name, quote_ident(tgname) AS trigger, tgenabled::text AS enabled
  FROM pg_trigger JOIN pg_class ON tgrelid = pg_class.oid
  WHERE relnamespace = $1::regnamespace AND relname = ANY ($2) AND NOT tgisinternal`

const STEPS =
  "SELECT string_agg(id || ' ' || name, E'\\n' ORDER BY id) AS steps FROM payport.payport_schema"

/** How to restore a trigger's state, by its value in `pg_trigger`. */
const SWITCHED: { readonly [enabled: string]: string } = {
  O: "ENABLE",
  A: "ENABLE ALWAYS",
  R: "ENABLE REPLICA",
  D: "DISABLE",
}

interface Moved {
  readonly name: string
  readonly columns: string
}

const rowsOf = (session: Session, sql: string, parameters: ReadonlyArray<unknown> = []) =>
  Effect.map(session.query(sql, parameters, false), ({ rows }) =>
    rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([key, value]) => [key, String(value)])),
    ),
  )

/** Returns the number of rows of a table, and a sum over their contents. */
const fingerprint = (session: Session, { columns, name }: Moved) =>
  rowsOf(
    session,
    `SELECT count(*)::text AS count,
        coalesce(sum(hashtextextended(row_to_json(one)::text, 0)), 0)::text AS sum
      FROM (SELECT ${columns} FROM payport.${quotedName(name)}) AS one`,
  )

const copy = Effect.fnUntraced(function* (source: Session, target: Session, table: Moved) {
  const { columns } = table
  const name = quotedName(table.name)
  yield* target.query(`DELETE FROM payport.${name}`, [], false)
  yield* source.query(
    `DECLARE moved NO SCROLL CURSOR FOR SELECT row_to_json(one)::text AS row
      FROM (SELECT ${columns} FROM payport.${name}) AS one`,
    [],
    false,
  )
  for (;;) {
    const rows = yield* rowsOf(source, `FETCH ${BATCH} FROM moved`)
    if (rows.length === 0) break
    yield* target.query(
      `INSERT INTO payport.${name} (${columns}) SELECT ${columns}
        FROM json_populate_recordset(NULL::payport.${name}, $1::text::json)`,
      [`[${rows.map(({ row }) => row).join()}]`],
      false,
    )
  }
  yield* source.query("CLOSE moved", [], false)
  const [before] = yield* fingerprint(source, table)
  const [after] = yield* fingerprint(target, table)
  if (before?.["count"] !== after?.["count"] || before?.["sum"] !== after?.["sum"]) {
    return yield* new CannotMove({
      message: `The rows of ${table.name} differ in the new database. Nothing was moved.`,
    })
  }
  return Number(after?.["count"])
})

const isUsed = Effect.fnUntraced(function* (target: Session) {
  const [row] = yield* rowsOf(
    target,
    `SELECT (EXISTS (SELECT FROM payport.accounts) OR EXISTS (SELECT FROM payport.audit_entries)
        OR EXISTS (SELECT FROM payport.postings))::text AS used`,
  )
  return row?.["used"] === "true"
})

const moveAll = Effect.fnUntraced(function* (
  source: Session,
  target: Session,
  { quoted }: OurSchema,
) {
  const [here] = yield* rowsOf(source, STEPS)
  const [there] = yield* rowsOf(target, STEPS)
  if (here?.["steps"] !== there?.["steps"]) {
    return yield* new CannotMove({ message: "The two databases do not have the same tables." })
  }
  if (yield* isUsed(target)) {
    return yield* new CannotMove({
      message: "The new database is not empty. Move to an empty one.",
    })
  }
  const tables = yield* rowsOf(target, TABLES, [quoted, OUR_TABLES])
  const triggers = yield* rowsOf(target, TRIGGERS, [quoted, OUR_TABLES])
  // Sums and chains are copied, not computed again.
  for (const { name = "" } of tables) {
    yield* target.query(`ALTER TABLE payport.${quotedName(name)} DISABLE TRIGGER USER`, [], false)
  }
  let rows = 0
  for (const { columns = "", name = "" } of tables) {
    rows += yield* copy(source, target, { columns, name })
  }
  for (const { enabled = "", name = "", trigger = "" } of triggers) {
    const table = quotedName(name)
    yield* target.query(
      `ALTER TABLE payport.${table} ${SWITCHED[enabled]} TRIGGER ${trigger}`,
      [],
      false,
    )
  }
  return rows
})

/**
 * Moves everything from one database to another, empty one: all or nothing, as the owners of their
 * tables. Both must have the same tables. Returns the number of rows. Nobody may write meanwhile.
 */
export const moveDatabase = Effect.fn("moveDatabase")(function* (
  from: ConnectionSettings,
  to: ConnectionSettings,
) {
  const targetConfig = withoutTimeLimit(yield* configOf(to))
  const { connection: source } = yield* connectWith(withoutTimeLimit(yield* configOf(from)))
  const { connection: target } = yield* connectWith(targetConfig)
  yield* source.query("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY", [], false)
  yield* target.query("BEGIN", [], false)
  const rows = yield* moveAll(source, target, targetConfig.schema)
  yield* target.query("COMMIT", [], false)
  yield* target.query("ANALYZE", [], false)
  return rows
}, Effect.scoped)
