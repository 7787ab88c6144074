import { Effect } from "effect"
import type { AuditEntry } from "../../../core/audit/AuditEntry.ts"
import type { AuditQuery } from "../../../core/audit/AuditQuery.ts"
import type { OperatorReads } from "../../../core/ports/reads/OperatorReads.ts"
import { type IdPrefix, isId } from "../../../core/shared/Id.ts"
import { ask, type Database } from "../database.ts"
import { accounts } from "../tables/accounts.ts"
import { appeals } from "../tables/appeals.ts"
import { auditEntryOf, ENTRY_COLUMNS } from "../tables/auditEntries.ts"
import { bareId, LAST_UUID } from "../tables/codecs.ts"
import { verifications } from "../tables/verifications.ts"

/** A page of each combination by its index, of which the newest make the page. */
const newestOf = (
  table: { readonly name: string; readonly selection: string },
  first: string,
  second?: string,
): string => {
  const wanted = second === undefined ? "" : ` CROSS JOIN unnest($4::text[]) AS also (${second})`
  const also = second === undefined ? "" : ` AND listed.${second} = also.${second}`
  return `SELECT ${table.selection} FROM unnest($3::text[]) AS wanted (${first})${wanted}
    CROSS JOIN LATERAL (SELECT listed.* FROM ${table.name} AS listed
      WHERE listed.${first} = wanted.${first}${also} AND listed.id < $1::uuid
      ORDER BY listed.id DESC LIMIT $2) AS ${table.name}
    ORDER BY ${table.name}.id DESC LIMIT $2`
}

/** Within what one account has. */
const newestOfAccount = (
  table: { readonly name: string; readonly selection: string },
  matches: string,
): string => `SELECT ${table.selection} FROM ${table.name}
    WHERE account_id = $3::uuid AND id < $1::uuid AND ${matches} ORDER BY id DESC LIMIT $2`

/** The statements of these questions. */
export const OPERATOR_SQL = {
  accounts: newestOf(accounts, "kind", "plan"),
  verifications: newestOf(verifications, "status", "level"),
  ofAccount: newestOfAccount(
    verifications,
    "status = ANY ($4::text[]) AND level = ANY ($5::text[])",
  ),
  appeals: newestOf(appeals, "status"),
  appealsOfAccount: newestOfAccount(appeals, "status = ANY ($4::text[])"),
  auditEntry: `SELECT ${ENTRY_COLUMNS} FROM audit_entries WHERE id = $1::uuid`,
  auditLog: `SELECT ${ENTRY_COLUMNS} FROM audit_entries
    WHERE sequence > $1::bigint ORDER BY sequence LIMIT $2`,
  auditHead: "SELECT sequence, hash FROM audit_head WHERE single",
}

/** A page of the log by the index of the narrowest filter. */
export const auditStatement = ({ action, actor, after, before, limit, target }: AuditQuery) => {
  const filters = [
    ["target", target],
    ["action", action],
    ["actor", actor],
  ].filter((filter): filter is [string, string] => filter[1] !== undefined)
  const conditions = filters.map(([column], n) => ` AND ${column} = $${n + 4}`).join("")
  return {
    sql: `SELECT ${ENTRY_COLUMNS} FROM audit_entries
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

/** Where a page begins; undefined where it can hold nothing. */
const begin = (prefix: IdPrefix, after: string | undefined): string | undefined => {
  if (after === undefined) return LAST_UUID
  return isId(prefix, after) ? bareId(prefix, after) : undefined
}

/** Questions that only operators ask. */
export const operatorReads = ({ work }: Database): OperatorReads => {
  const list = <A>(
    table: { readonly fromRow: (row: { readonly [column: string]: unknown }) => A },
    sql: string,
    [from, ...rest]: readonly [string | undefined, ...ReadonlyArray<unknown>],
  ) =>
    from === undefined
      ? Effect.succeed([])
      : Effect.map(ask(work, sql, [from, ...rest]), (rows) => rows.map((row) => table.fromRow(row)))
  const entries = (sql: string, parameters: ReadonlyArray<unknown>) =>
    Effect.map(ask(work, sql, parameters), (rows) => rows.map(auditEntryOf))
  return {
    listAccounts: ({ kinds, limit, plans, starting_after }) =>
      list(accounts, OPERATOR_SQL.accounts, [begin("acct", starting_after), limit, kinds, plans]),
    reviewVerifications: ({ account_id, levels, limit, starting_after, statuses }) => {
      const from = begin("kyc", starting_after)
      if (account_id === undefined) {
        return list(verifications, OPERATOR_SQL.verifications, [from, limit, statuses, levels])
      }
      if (!isId("acct", account_id)) return Effect.succeed([])
      const account = bareId("acct", account_id)
      return list(verifications, OPERATOR_SQL.ofAccount, [from, limit, account, statuses, levels])
    },
    reviewAppeals: ({ account_id, limit, starting_after, statuses }) => {
      const from = begin("appl", starting_after)
      if (account_id === undefined) {
        return list(appeals, OPERATOR_SQL.appeals, [from, limit, statuses])
      }
      if (!isId("acct", account_id)) return Effect.succeed([])
      const account = bareId("acct", account_id)
      return list(appeals, OPERATOR_SQL.appealsOfAccount, [from, limit, account, statuses])
    },
    findAuditEntry: (id) =>
      !isId("aud", id)
        ? Effect.succeed(undefined)
        : Effect.map(
            entries(OPERATOR_SQL.auditEntry, [bareId("aud", id)]),
            ([entry]: ReadonlyArray<AuditEntry>) => entry,
          ),
    listAudit: (query) => {
      const { parameters, sql } = auditStatement(query)
      return entries(sql, parameters)
    },
    readAudit: ({ after, limit }) => entries(OPERATOR_SQL.auditLog, [after, limit]),
    auditHead: () =>
      Effect.map(ask(work, OPERATOR_SQL.auditHead, []), ([row]) => ({
        sequence: Number(row?.["sequence"]),
        hash: String(row?.["hash"]),
      })),
  }
}
