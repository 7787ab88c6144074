import { Effect } from "effect"
import { DatabaseUnusable } from "./DatabaseUnusable.ts"
import type { OurSchema } from "./OurSchema.ts"
import type { Connection } from "./sessions/connectWith.ts"

/**
 * Finds triggers of ours that do not fire, as a restore leaves them that failed before it enabled
 * them. Those of a host, which may have tables in the same schema or copy ours, are its own matter.
 */
export const FIND_SILENT = `SELECT tgname || ' on ' || relname AS silent
  FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
  JOIN pg_namespace ON pg_namespace.oid = relnamespace
  JOIN pg_proc ON pg_proc.oid = tgfoid AND pronamespace = relnamespace
  WHERE nspname = $1 AND starts_with(proname, 'payport_') AND NOT tgisinternal
    AND tgenabled NOT IN ('A', 'O') ORDER BY silent`

/** The most triggers that a message names. */
const MOST_NAMED = 3

/**
 * Refuses tables whose triggers do not fire. They are not enabled here: what was stored meanwhile
 * is in no sum of the books, and nobody would notice that afterwards.
 */
export const refuseSilent = Effect.fnUntraced(function* (
  connection: Connection,
  { name }: OurSchema,
) {
  const { rows } = yield* connection.query(FIND_SILENT, [name], false)
  if (rows.length === 0) return
  const some = rows.slice(0, MOST_NAMED).map(({ silent }) => String(silent))
  const more = rows.length > MOST_NAMED ? ` and ${rows.length - MOST_NAMED} more` : ""
  return yield* new DatabaseUnusable({
    message:
      `Triggers in the schema ${name} of the database are disabled: ${some.join("; ")}${more}. A` +
      " restore may have failed: begin it anew, into an empty database. Otherwise check the" +
      " ledger and the audit log, and enable each with ALTER TABLE … ENABLE ALWAYS TRIGGER ….",
  })
})
