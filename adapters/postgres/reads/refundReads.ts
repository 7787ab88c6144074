import { Effect } from "effect"
import type { Store } from "../../../core/ports/Store.ts"
import { isId } from "../../../core/shared/Id.ts"
import { ask, type Database } from "../database.ts"
import { refunds } from "../tables/refunds.ts"
import { bareId, LAST_UUID } from "../tables/codecs.ts"

type Reads = Pick<Store["Service"], "listRefunds">

const newest = (column: string): string =>
  `SELECT ${refunds.selection} FROM refunds WHERE ${column} = $1::uuid AND id < $2::uuid
    ORDER BY id DESC LIMIT $3`

/** The statements of these questions. */
export const REFUND_SQL = {
  ofIntent: newest("payment_intent"),
  ofPayee: newest("payee_account_id"),
}

/** Questions about refunds. */
export const refundReads = ({ reads }: Database): Reads => ({
  listRefunds: (query) => {
    const after = query.starting_after ?? `ref_${LAST_UUID}`
    const [sql, prefix, owner] =
      "payment_intent" in query
        ? ([REFUND_SQL.ofIntent, "pi", query.payment_intent] as const)
        : ([REFUND_SQL.ofPayee, "acct", query.payee_account_id] as const)
    if (!after.startsWith("ref_") || !isId(prefix, owner)) return Effect.succeed([])
    const parameters = [bareId(prefix, owner), bareId("ref", after), query.limit]
    return Effect.map(ask(reads, sql, parameters), (rows) =>
      rows.map((row) => refunds.fromRow(row)),
    )
  },
})
