import { Effect } from "effect"
import type { ClearingQuery } from "../../../core/ledger/LedgerQuery.ts"
import type { Store } from "../../../core/ports/Store.ts"
import { isId } from "../../../core/shared/Id.ts"
import { ask, type ReadPools } from "../database.ts"
import { discrepancies } from "../tables/discrepancies.ts"
import { postings } from "../tables/postings.ts"
import { reconciliationRuns } from "../tables/reconciliationRuns.ts"
import { bareId } from "../tables/codecs.ts"
import { allOf } from "./rows.ts"

type Reads = Pick<Store["Service"], "listClearing" | "listDiscrepancies" | "listRuns">

const CLOSED = `EXISTS (SELECT FROM payport.ledger_closings AS closing
  WHERE closing.account_id = postings.account_id AND closing.last_posting >= postings.id)`

const clearing = (which: string) =>
  `SELECT ${postings.selection}, ${CLOSED} AS closed FROM payport.postings
    WHERE ledger_account = 'channel_clearing' AND channel = $1 AND ${which}
    ORDER BY created_at, id`

/** Sorts before every row of the same time. */
const FIRST_UUID = "00000000-0000-0000-0000-000000000000"

type Days = Extract<ClearingQuery, { readonly limit: number }>

const clearingParameters = ({ after, channel, from, limit, to }: Days) => [
  channel,
  new Date(from),
  new Date(to),
  new Date(after?.created_at ?? from),
  after === undefined ? FIRST_UUID : bareId("post", after.id),
  limit,
]

/** The SQL of these reads. */
export const REPORT_SQL = {
  clearing: `${clearing(
    `created_at >= $2 AND created_at < $3 AND (created_at, id) > ($4::timestamptz, $5::uuid)`,
  )} LIMIT $6`,
  clearingOf: clearing("payment_intent = ANY ($2::uuid[])"),
  discrepancies: `SELECT ${discrepancies.selection} FROM payport.discrepancies
    WHERE account_id = $1::uuid AND created_at >= $2 AND created_at < $3
    ORDER BY created_at, id LIMIT $4`,
  discrepanciesOfRun: `SELECT ${discrepancies.selection} FROM payport.discrepancies
    WHERE run = $1::uuid ORDER BY created_at, id LIMIT $2`,
  runs: `SELECT ${reconciliationRuns.selection} FROM payport.reconciliation_runs
    WHERE day >= $1 AND day <= $2 ORDER BY day, channel`,
}

const discrepancyStatement = (query: Parameters<Reads["listDiscrepancies"]>[0]) => {
  if ("run" in query) {
    if (!isId("rrun", query.run)) return undefined
    return [REPORT_SQL.discrepanciesOfRun, [bareId("rrun", query.run), query.limit]] as const
  }
  const { account_id, from, limit, to } = query
  if (!isId("acct", account_id)) return undefined
  const parameters = [bareId("acct", account_id), new Date(from), new Date(to), limit]
  return [REPORT_SQL.discrepancies, parameters] as const
}

/** Reads what channels report about their own books. */
export const reportReads = ({ work }: ReadPools): Reads => ({
  listClearing: (query) => {
    const { channel } = query
    const asked =
      "from" in query
        ? ask(work, REPORT_SQL.clearing, clearingParameters(query))
        : ask(work, REPORT_SQL.clearingOf, [
            channel,
            query.payment_intents.filter((id) => isId("pi", id)).map((id) => bareId("pi", id)),
          ])
    return Effect.map(asked, (rows) =>
      rows.map((row) => ({ ...postings.fromRow(row), closed: row["closed"] === true })),
    )
  },
  listDiscrepancies: (query) => {
    const statement = discrepancyStatement(query)
    if (statement === undefined) return Effect.succeed([])
    const [sql, parameters] = statement
    return Effect.map(ask(work, sql, parameters), allOf(discrepancies))
  },
  listRuns: (from, to) =>
    Effect.map(ask(work, REPORT_SQL.runs, [from, to]), allOf(reconciliationRuns)),
})
