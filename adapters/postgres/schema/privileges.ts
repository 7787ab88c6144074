import { TABLES } from "../tables.ts"
import { AUDIT } from "./audit.ts"
import { INFRASTRUCTURE } from "./infrastructure.ts"
import { LEDGER } from "./ledger.ts"

const created = (statements: ReadonlyArray<string>): ReadonlyArray<string> =>
  statements.flatMap((statement) => /^CREATE TABLE (\w+)/.exec(statement)?.[1] ?? [])

const CHANGED = [...TABLES.map(({ name }) => name), ...created(INFRASTRUCTURE)]

/** Sums and heads among them are moved by triggers, with the rights of their owner. */
const READ = [...created(LEDGER), ...created(AUDIT), "payport_schema"]

const ADDED_TO = ["postings", "audit_entries"]

/** Functions that act with the rights of their owner: triggers', and the one that is called. */
const MOVING = ["payport_postings_added()", "payport_audit_chained()"]
const CALLED = "payport_close_books(uuid)"

/** A name as SQL takes it. */
export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/**
 * What gives the role of the service the rights that it needs and takes all others away: it owns
 * nothing, so that it can neither switch triggers off nor replace functions. Nor can it make names
 * in the schema, or triggers of its own of functions that act with the owner's rights: on a
 * temporary table those would move sums and heads without a row that tells of it.
 */
export const grantsTo = (role: string, schema: string): ReadonlyArray<string> => {
  const to = quotedName(role)
  return [
    `REVOKE CREATE ON SCHEMA ${quotedName(schema)} FROM ${to}`,
    `GRANT USAGE ON SCHEMA ${quotedName(schema)} TO ${to}`,
    `REVOKE EXECUTE ON FUNCTION ${[...MOVING, CALLED].join(", ")} FROM PUBLIC, ${to}`,
    `GRANT EXECUTE ON FUNCTION ${CALLED} TO ${to}`,
    `REVOKE ALL ON ${[...CHANGED, ...READ].join(", ")} FROM ${to}`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ${CHANGED.join(", ")} TO ${to}`,
    `GRANT SELECT ON ${READ.join(", ")} TO ${to}`,
    `GRANT INSERT ON ${ADDED_TO.join(", ")} TO ${to}`,
  ]
}
