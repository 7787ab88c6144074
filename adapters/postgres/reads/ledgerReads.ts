import { Effect } from "effect"
import type { Balance, DayTotal, EntryQuery } from "../../../core/ledger/LedgerQuery.ts"
import type { Store } from "../../../core/ports/Store.ts"
import { isId } from "../../../core/shared/Id.ts"
import { ask, type ReadPools } from "../database.ts"
import { postings } from "../tables/postings.ts"
import { bareId, LAST_UUID } from "../tables/codecs.ts"
import type { Row } from "../tables/Table.ts"
import { allOf } from "./rows.ts"

type Reads = Pick<Store["Service"], "listPostings" | "listDayTotals" | "sumDays" | "listBalances">

const FILTERS = `account_id = $1::uuid AND id < $2::uuid
  AND id > coalesce((SELECT last_posting FROM payport.ledger_closings WHERE account_id = $1::uuid),
    '00000000-0000-0000-0000-000000000000')
  AND ($3::text IS NULL OR ledger_account = $3)
  AND ($4::text IS NULL OR currency = $4)
  AND ($5::text IS NULL OR kind = $5)`

const IN_DAYS = `account_id = $1::uuid
  AND day >= coalesce($2::text, '') AND day <= coalesce($3, '9999')`

/** The SQL of these reads. */
export const LEDGER_SQL = {
  postings: `SELECT ${postings.selection} FROM payport.postings
    WHERE ${FILTERS} ORDER BY id DESC LIMIT $6`,
  postingsOfIntent: `SELECT ${postings.selection} FROM payport.postings
    WHERE payment_intent = $7::uuid AND ${FILTERS} ORDER BY id DESC LIMIT $6`,
  oldestOfIntent: `SELECT ${postings.selection} FROM payport.postings
    WHERE payment_intent = $7::uuid AND ${FILTERS} ORDER BY id LIMIT $6`,
  dayTotals: `SELECT day, nullif(channel, '') AS channel, currency, ledger_account, kind, amount,
      count FROM payport.ledger_totals WHERE ${IN_DAYS}
    ORDER BY day, ledger_totals.channel, currency, ledger_account, kind`,
  sums: `SELECT currency, ledger_account, kind, sum(amount)::bigint AS amount,
      sum(count)::bigint AS count FROM payport.ledger_totals WHERE ${IN_DAYS}
    GROUP BY currency, ledger_account, kind ORDER BY currency, ledger_account, kind`,
  balances: `SELECT currency, ledger_account, kind, amount, count FROM payport.ledger_balances
    WHERE account_id = $1::uuid ORDER BY currency, ledger_account, kind`,
}

/** Returns the statement and the parameters of a page; undefined if nothing can be found. */
export const entriesStatement = (query: EntryQuery) => {
  const { account_id, currency, kind, ledger_account, limit, payment_intent } = query
  const after = query.starting_after ?? `post_${LAST_UUID}`
  const isAsked =
    isId("acct", account_id) &&
    after.startsWith("post_") &&
    (payment_intent === undefined || isId("pi", payment_intent))
  if (!isAsked) return undefined
  const parameters = [
    bareId("acct", account_id),
    bareId("post", after),
    ledger_account ?? null,
    currency ?? null,
    kind ?? null,
    limit,
  ]
  return payment_intent === undefined
    ? { sql: LEDGER_SQL.postings, parameters }
    : {
        sql: query.order === "oldest" ? LEDGER_SQL.oldestOfIntent : LEDGER_SQL.postingsOfIntent,
        parameters: [...parameters, bareId("pi", payment_intent)],
      }
}

const counted = (row: Row) => ({
  ...row,
  amount: Number(row["amount"]),
  count: Number(row["count"]),
})

/** Reads the ledger. */
export const ledgerReads = ({ work }: ReadPools): Reads => {
  const totals = <A>(sql: string, account: string, ...days: ReadonlyArray<string | null>) =>
    !isId("acct", account)
      ? Effect.succeed([])
      : Effect.map(ask(work, sql, [bareId("acct", account), ...days]), (rows) =>
          rows.map((row) => counted(row) as A),
        )
  return {
    listPostings: (query) => {
      const asked = entriesStatement(query)
      if (asked === undefined) return Effect.succeed([])
      return Effect.map(ask(work, asked.sql, asked.parameters), allOf(postings))
    },
    listDayTotals: ({ account_id, from, to }) =>
      totals<DayTotal>(LEDGER_SQL.dayTotals, account_id, from ?? null, to ?? null),
    sumDays: ({ account_id, from, to }) =>
      totals<Balance>(LEDGER_SQL.sums, account_id, from ?? null, to ?? null),
    listBalances: (account_id) => totals<Balance>(LEDGER_SQL.balances, account_id),
  }
}
