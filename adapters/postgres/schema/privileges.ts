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

/** A name as SQL takes it. */
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/**
 * What gives the role of the service the rights that it needs and takes all others away: it owns
 * nothing, so that it can neither switch triggers off nor replace functions.
 */
export const grantsTo = (role: string, schema: string): ReadonlyArray<string> => {
  const to = quoted(role)
  return [
    `GRANT USAGE ON SCHEMA ${quoted(schema)} TO ${to}`,
    `REVOKE ALL ON ${[...CHANGED, ...READ].join(", ")} FROM ${to}`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ${CHANGED.join(", ")} TO ${to}`,
    `GRANT SELECT ON ${READ.join(", ")} TO ${to}`,
    `GRANT INSERT ON ${ADDED_TO.join(", ")} TO ${to}`,
  ]
}
