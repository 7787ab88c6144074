import { COMMIT_FUNCTION } from "../commit/commitFunction.ts"
import { type OurSchema, quotedName } from "../OurSchema.ts"
import { TABLES } from "../tables.ts"
import { AUDIT } from "./audit.ts"
import { INFRASTRUCTURE } from "./infrastructure.ts"
import { LEDGER } from "./ledger.ts"
import { SEARCH } from "./search.ts"

const created = (statements: ReadonlyArray<string>): ReadonlyArray<string> =>
  statements.flatMap((statement) => /^CREATE TABLE payport\.(\w+)/.exec(statement)?.[1] ?? [])

const CHANGED = [...TABLES.map(({ name }) => name), ...created(INFRASTRUCTURE), ...created(SEARCH)]

/** Tables that the service's role may only read. Triggers with their owner's rights change some. */
const READ = [...created(LEDGER), ...created(AUDIT), "payport_schema"]

const ADDED_TO = ["postings", "audit_entries"]

/** Functions that run with their owner's rights: those of triggers, and the one that is called. */
const MOVING = ["payport_postings_added()", "payport_audit_chained()"]
const CALLED = "payport_close_books(uuid)"

/** The tables of a payport, except those that a version's commit function brings. */
export const OUR_TABLES: ReadonlyArray<string> = [...CHANGED, ...READ]

const FUNCTIONS = [...MOVING, CALLED]

/** Finds the tables and functions that are there. Between two steps, some are not. */
export const FIND_GRANTED = `SELECT name FROM (VALUES ${[
  ...OUR_TABLES.map((name) => `('${name}', to_regclass('payport.${name}')::oid)`),
  ...FUNCTIONS.map((name) => `('${name}', to_regprocedure('payport.${name}')::oid)`),
  `('${COMMIT_FUNCTION}', to_regproc('payport.${COMMIT_FUNCTION}')::oid)`,
].join(", ")}) AS ours (name, oid) WHERE oid IS NOT NULL`

/**
 * Grants the service's role the rights that it needs, and revokes all others. The role owns
 * nothing, so it can neither switch triggers off nor replace functions. It cannot create names in
 * the schema, nor triggers that call functions with the owner's rights: on a temporary table they
 * would change sums and heads without a row that justifies it. `isThere` leaves out what a later
 * step makes.
 */
export const grantsTo = (
  role: string,
  { quoted }: OurSchema,
  isThere: (name: string) => boolean = () => true,
): ReadonlyArray<string> => {
  const to = quotedName(role)
  const on = (names: ReadonlyArray<string>, sql: (all: string) => string) => {
    const there = names.filter(isThere)
    return there.length === 0 ? [] : [sql(there.map((name) => `payport.${name}`).join(", "))]
  }
  return [
    `REVOKE CREATE ON SCHEMA ${quoted} FROM ${to}`,
    `GRANT USAGE ON SCHEMA ${quoted} TO ${to}`,
    ...on(FUNCTIONS, (all) => `REVOKE EXECUTE ON FUNCTION ${all} FROM PUBLIC, ${to}`),
    // Everybody may call a function, unless the owner's default privileges say otherwise.
    ...on([CALLED, COMMIT_FUNCTION], (all) => `GRANT EXECUTE ON FUNCTION ${all} TO ${to}`),
    ...on(OUR_TABLES, (all) => `REVOKE ALL ON ${all} FROM ${to}`),
    ...on(CHANGED, (all) => `GRANT SELECT, INSERT, UPDATE, DELETE ON ${all} TO ${to}`),
    ...on(READ, (all) => `GRANT SELECT ON ${all} TO ${to}`),
    ...on(ADDED_TO, (all) => `GRANT INSERT ON ${all} TO ${to}`),
  ]
}

const pairs = (
  names: ReadonlyArray<string>,
  rights: ReadonlyArray<string>,
): ReadonlyArray<string> =>
  names.flatMap((name) => rights.map((right) => `('${name}', '${right}')`))

/**
 * Finds the rights that the session's role lacks on what is there, such as `INSERT on postings`,
 * and on this version's function for commits.
 */
export const findMissing = ({ quoted }: OurSchema): string => `
  WITH needed (name, kind) AS (VALUES ${[
    ...pairs(CHANGED, ["SELECT", "INSERT", "UPDATE", "DELETE"]),
    ...pairs(READ, ["SELECT"]),
    ...pairs(ADDED_TO, ["INSERT"]),
  ].join(", ")})
  SELECT string_agg(kind, ', ') || ' on ' || name AS missing FROM needed
    WHERE NOT coalesce(has_table_privilege(to_regclass('payport.' || name), kind), true)
    GROUP BY name
  UNION ALL SELECT 'EXECUTE on ' || proname FROM pg_proc
    WHERE pronamespace = '${quoted}'::regnamespace AND (oid = to_regprocedure('payport.${CALLED}')
      OR proname = '${COMMIT_FUNCTION}') AND NOT has_function_privilege(oid, 'EXECUTE')
  ORDER BY missing`

/**
 * Finds the rights that the session's role has beyond those that it needs, such as `UPDATE on
 * postings`: with them, books and audit entries are not safe from it.
 */
export const FIND_EXCESS = `
  WITH guarded (name, kind) AS (
    SELECT name, kind FROM (VALUES ${READ.map((name) => `('${name}')`).join(", ")}) AS ours (name)
      CROSS JOIN unnest(ARRAY['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) AS kind
    EXCEPT VALUES ${pairs(ADDED_TO, ["INSERT"]).join(", ")})
  SELECT string_agg(kind, ', ' ORDER BY kind) || ' on ' || name AS excess FROM guarded
    WHERE has_table_privilege(to_regclass('payport.' || name), kind)
    GROUP BY name ORDER BY name`
