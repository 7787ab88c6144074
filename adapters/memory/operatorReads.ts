import { Effect } from "effect"
import type { OperatorReads } from "../../core/ports/reads/OperatorReads.ts"
import { first } from "./lists.ts"
import type { State } from "./State.ts"
import type { Table } from "./Table.ts"

interface Page {
  readonly account_id?: string
  readonly starting_after?: string
  readonly limit: number
}

/** A page of all records that match, newest first; operators' lists have no index of their own. */
const newest = <R extends { readonly id: string; readonly version: number }>(
  table: Table<R>,
  { limit, starting_after }: Page,
  matches: (record: R) => boolean,
): ReadonlyArray<R> => {
  const sorted = [...table.values()].toSorted((a, b) => (a.id < b.id ? 1 : -1))
  return first(
    limit,
    sorted,
    (record) => (starting_after === undefined || record.id < starting_after) && matches(record),
  )
}

const isOf = (record: { readonly account_id: string }, { account_id }: Page): boolean =>
  account_id === undefined || record.account_id === account_id

/** Questions that only operators ask. */
export const operatorReads = ({ audit, tables }: State): OperatorReads => ({
  listAccounts: (query) =>
    Effect.sync(() =>
      newest(
        tables.account,
        query,
        ({ kind, plan }) => query.kinds.includes(kind) && query.plans.includes(plan),
      ),
    ),
  reviewVerifications: (query) =>
    Effect.sync(() =>
      newest(
        tables.verification,
        query,
        (record) =>
          isOf(record, query) &&
          query.statuses.includes(record.status) &&
          query.levels.includes(record.level),
      ),
    ),
  reviewAppeals: (query) =>
    Effect.sync(() =>
      newest(
        tables.appeal,
        query,
        (record) => isOf(record, query) && query.statuses.includes(record.status),
      ),
    ),
  findAuditEntry: (id) => Effect.sync(() => audit.find(id)),
  listAudit: (query) => Effect.sync(() => audit.list(query)),
  readAudit: ({ after, limit }) => Effect.sync(() => audit.read(after, limit)),
  auditHead: () => Effect.sync(() => audit.head()),
})
