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
const MOVING = ["payport.payport_postings_added()", "payport.payport_audit_chained()"]
const CALLED = "payport.payport_close_books(uuid)"

/** The tables of a payport, except those that a version's commit function brings. */
export const OUR_TABLES: ReadonlyArray<string> = [...CHANGED, ...READ]

const all = (names: ReadonlyArray<string>): string =>
  names.map((name) => `payport.${name}`).join(", ")

/**
 * Grants the service's role the rights that it needs, and revokes all others. The role owns
 * nothing, so it can neither switch triggers off nor replace functions. It cannot create names in
 * the schema, nor triggers that call functions with the owner's rights: on a temporary table they
 * would change sums and heads without a row that justifies it.
 */
export const grantsTo = (role: string, { quoted }: OurSchema): ReadonlyArray<string> => {
  const to = quotedName(role)
  return [
    `REVOKE CREATE ON SCHEMA ${quoted} FROM ${to}`,
    `GRANT USAGE ON SCHEMA ${quoted} TO ${to}`,
    `REVOKE EXECUTE ON FUNCTION ${[...MOVING, CALLED].join(", ")} FROM PUBLIC, ${to}`,
    `GRANT EXECUTE ON FUNCTION ${CALLED} TO ${to}`,
    `REVOKE ALL ON ${all(OUR_TABLES)} FROM ${to}`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ${all(CHANGED)} TO ${to}`,
    `GRANT SELECT ON ${all(READ)} TO ${to}`,
    `GRANT INSERT ON ${all(ADDED_TO)} TO ${to}`,
  ]
}
