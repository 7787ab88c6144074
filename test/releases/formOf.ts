import type { TestDatabase } from "../support/postgres.ts"
import { askDatabase } from "../support/askDatabase.ts"

const COLUMNS = `SELECT attrelid::regclass::text AS table, attname::text AS name,
    format_type(atttypid, atttypmod) AS type, attnotnull AS required,
    attgenerated::text AS generated,
    attcollation::regcollation::text AS collation, pg_get_expr(adbin, adrelid) AS rule
  FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
  LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND attnum > 0 AND NOT attisdropped
    AND relname <> 'payport_schema'
  ORDER BY 1, 2`

const INDEXES = `SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`

const CONSTRAINTS = `SELECT conrelid::regclass::text AS table, pg_get_constraintdef(oid) AS rule
  FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    AND conrelid <> 'payport_schema'::regclass AND contype <> 'n'
  ORDER BY 1, 2`

const TRIGGERS = `SELECT pg_get_triggerdef(oid) AS rule, tgenabled::text AS enabled FROM pg_trigger
  WHERE NOT tgisinternal ORDER BY 1`

/** Those of commits are each version's own, and stay for the processes that call them. */
const FUNCTIONS = `SELECT pg_get_functiondef(oid) AS text FROM pg_proc
  WHERE pronamespace = 'public'::regnamespace AND proname NOT LIKE 'payport_commit_%' ORDER BY 1`

const RIGHTS = `SELECT relname::text AS table, privilege_type AS may FROM pg_class,
    aclexplode(relacl) AS given
  WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
    AND grantee = 'payport_service'::regrole ORDER BY 1, 2`

/** Tables, indexes, rules, triggers, functions and rights of a database, to be compared. */
export const formOf = async (database: TestDatabase) => ({
  columns: await askDatabase(database, COLUMNS),
  indexes: await askDatabase(database, INDEXES),
  constraints: await askDatabase(database, CONSTRAINTS),
  triggers: await askDatabase(database, TRIGGERS),
  functions: await askDatabase(database, FUNCTIONS),
  rights: await askDatabase(database, RIGHTS),
})
