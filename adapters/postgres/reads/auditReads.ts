import { Effect } from "effect"
import type { AuditQuery } from "../../../core/audit/AuditQuery.ts"
import type { Store } from "../../../core/ports/Store.ts"
import { isId } from "../../../core/shared/Id.ts"
import { ask, type ReadPools } from "../database.ts"
import { auditEntryOf, ENTRY_COLUMNS, HEAD_SQL, headOf } from "../tables/auditEntries.ts"
import { bareId } from "../tables/codecs.ts"

type Reads = Pick<Store["Service"], "findAuditEntry" | "listAudit" | "readAudit" | "auditHead">

/** The SQL of these reads. */
export const AUDIT_SQL = {
  entry: `SELECT ${ENTRY_COLUMNS} FROM payport.audit_entries WHERE id = $1::uuid`,
  log: `SELECT ${ENTRY_COLUMNS} FROM payport.audit_entries
    WHERE sequence > $1::bigint ORDER BY sequence LIMIT $2`,
  head: HEAD_SQL,
}

/** Returns the statement for a page of the log, along the index of the narrowest filter. */
export const auditStatement = ({ action, actor, after, before, limit, target }: AuditQuery) => {
  const filters = [
    ["target", target],
    ["action", action],
    ["actor", actor],
  ].filter((filter): filter is [string, string] => filter[1] !== undefined)
  const conditions = filters.map(([column], n) => ` AND ${column} = $${n + 4}`).join("")
  return {
    sql: `SELECT ${ENTRY_COLUMNS} FROM payport.audit_entries
    WHERE sequence > $1::bigint AND sequence < $2::bigint${conditions}
    ORDER BY sequence DESC LIMIT $3`,
    parameters: [
      after,
      before ?? Number.MAX_SAFE_INTEGER,
      limit,
      ...filters.map(([, value]) => value),
    ],
  }
}

/** Reads the operators' audit log. */
export const auditReads = ({ work }: ReadPools): Reads => {
  const entries = (sql: string, parameters: ReadonlyArray<unknown>) =>
    Effect.map(ask(work, sql, parameters), (rows) => rows.map(auditEntryOf))
  return {
    findAuditEntry: (id) =>
      isId("aud", id)
        ? Effect.map(entries(AUDIT_SQL.entry, [bareId("aud", id)]), ([entry]) => entry)
        : Effect.succeed(undefined),
    listAudit: (query) => {
      const { parameters, sql } = auditStatement(query)
      return entries(sql, parameters)
    },
    readAudit: ({ after, limit }) => entries(AUDIT_SQL.log, [after, limit]),
    auditHead: () => Effect.map(ask(work, AUDIT_SQL.head, []), headOf),
  }
}
