import type { TestDatabase } from "../support/postgres.ts"
import { askDatabase } from "../support/askDatabase.ts"

const COLUMNS = `SELECT attrelid::regclass::text AS table, attname::text AS name,
    format_type(atttypid, atttypmod) AS type, attnotnull AS required,
    attgenerated::text AS generated,
    attcollation::regcollation::text AS collation, pg_get_expr(adbin, adrelid) AS rule
  FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
  LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE relkind = 'r' AND relnamespace = '…'::regnamespace AND attnum > 0 AND NOT attisdropped
    AND relname <> 'payport_schema'
  ORDER BY 1, 2`

const INDEXES = `SELECT indexdef FROM pg_indexes WHERE schemaname = '…' ORDER BY 1`

const CONSTRAINTS = `SELECT conrelid::regclass::text AS table, pg_get_constraintdef(oid) AS rule
  FROM pg_constraint WHERE connamespace = '…'::regnamespace
    AND conrelid <> 'payport_schema'::regclass AND contype <> 'n'
  ORDER BY 1, 2`

const TRIGGERS = `SELECT pg_get_triggerdef(oid) AS rule, tgenabled::text AS enabled FROM pg_trigger
  WHERE NOT tgisinternal ORDER BY 1`

/** Those of commits are each version's own, and stay for the processes that call them. */
const FUNCTIONS = `SELECT pg_get_functiondef(oid) AS text FROM pg_proc
  WHERE pronamespace = '…'::regnamespace AND proname NOT LIKE 'payport_commit_%' ORDER BY 1`

const RIGHTS = `SELECT relname::text AS table, privilege_type AS may FROM pg_class,
    aclexplode(relacl) AS given
  WHERE relkind = 'r' AND relnamespace = '…'::regnamespace
    AND grantee = 'payport_service'::regrole ORDER BY 1, 2`

/**
 * Tables, indexes, rules, triggers, functions and rights of a payport in a schema of a database, to
 * be compared with those of another, wherever that is.
 */
export const formOf = async (database: TestDatabase, schema: string) => {
  const ask = async (sql: string): Promise<unknown> => {
    const found = JSON.stringify(await askDatabase(database, sql.replaceAll("…", schema)))
    return JSON.parse(found.replaceAll(new RegExp(`(\\\\"|\\b)${schema}\\1\\.`, "g"), ""))
  }
  return {
    columns: await ask(COLUMNS),
    indexes: await ask(INDEXES),
    constraints: await ask(CONSTRAINTS),
    triggers: await ask(TRIGGERS),
    functions: await ask(FUNCTIONS),
    rights: await ask(RIGHTS),
  }
}
