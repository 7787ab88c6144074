import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { DatabaseUnusable } from "./DatabaseUnusable.ts"
import type { OurSchema } from "./OurSchema.ts"
import { OUR_TABLES } from "./schema/privileges.ts"
import type { Connection } from "./sessions/connectWith.ts"

/** The session's role, what it can see of our schema, and its rights there. */
export interface SchemaStanding {
  readonly role: string
  /** Whether the schema exists. */
  readonly there: boolean
  /** Whether the role may use the schema. */
  readonly enters: boolean
  /** Whether the schema holds a payport. */
  readonly made: boolean
  /** Whether the role may create objects in the schema, or the schema itself if it is missing. */
  readonly creates: boolean
  /** Whether the role owns the tables, directly or as a member, or would own them once made. */
  readonly owns: boolean
  /** Whether there is a payport from before the first release. */
  readonly earlier: boolean
  /** Tables and other objects with our names that belong to somebody else. */
  readonly strangers: ReadonlyArray<string>
}

/** The table that identifies a payport: its columns since the first release. */
const OWN = `SELECT pg_class.oid, relowner FROM pg_class
  WHERE relnamespace = ours.oid AND relname = 'payport_schema' AND relkind = 'r'
    AND 3 = (SELECT count(*) FROM pg_attribute WHERE attrelid = pg_class.oid
      AND attname IN ('id', 'name', 'applied_at') AND NOT attisdropped)`

const STANDING = `SELECT session_user AS role, ours.oid IS NOT NULL AS there,
    coalesce(has_schema_privilege(ours.oid, 'USAGE'), false) AS enters,
    coalesce(has_schema_privilege(ours.oid, 'CREATE'),
      has_database_privilege(current_database(), 'CREATE')) AS creates,
    own.oid IS NOT NULL AS made,
    coalesce(pg_has_role(own.relowner, 'MEMBER'), false) AS owner,
    EXISTS (SELECT FROM pg_class
      WHERE relnamespace = ours.oid AND relname = 'payport_migrations') AS earlier,
    CASE WHEN own.oid IS NULL THEN ARRAY(SELECT relname::text FROM pg_class
      WHERE relnamespace = ours.oid AND relname = ANY ($2) ORDER BY relname) END AS strangers
  FROM (SELECT (SELECT oid FROM pg_namespace WHERE nspname = $1) AS oid) AS ours
  LEFT JOIN LATERAL (${OWN}) AS own ON true`

/** Reads what the session's role finds. The search path does not matter. */
export const readStanding = (
  connection: Connection,
  { name }: OurSchema,
): Effect.Effect<SchemaStanding, SqlError> =>
  Effect.map(connection.query(STANDING, [name, OUR_TABLES], false), ({ rows: [row = {}] }) => {
    const made = row["made"] === true
    const creates = row["creates"] === true
    return {
      role: String(row["role"]),
      there: row["there"] === true,
      enters: row["enters"] === true,
      made,
      creates,
      owns: made ? row["owner"] === true : creates,
      earlier: row["earlier"] === true,
      strangers: (row["strangers"] as ReadonlyArray<string> | null) ?? [],
    }
  })

/** The most foreign tables that a message names. */
const MOST_NAMED = 3

/** Returns why the schema cannot hold a payport at all; undefined if it can. */
export const refusalOfSchema = (
  { earlier, strangers }: SchemaStanding,
  { name }: OurSchema,
): DatabaseUnusable | undefined => {
  if (earlier) {
    return new DatabaseUnusable({
      message:
        "An earlier payport created the database, and this version cannot read its tables. Delete" +
        " the data folder, or use a new database.",
    })
  }
  if (strangers.length === 0) return undefined
  const some = strangers.slice(0, MOST_NAMED).join(", ")
  const more = strangers.length > MOST_NAMED ? ` and ${strangers.length - MOST_NAMED} more` : ""
  return new DatabaseUnusable({
    message:
      `The schema ${name} of the database has tables of another program with the names of` +
      ` payport's (${some}${more}). Give payport a schema of its own: leave` +
      " PAYPORT_DATABASE_SCHEMA unset, or name a new one.",
  })
}
