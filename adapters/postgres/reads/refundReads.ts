import { Effect } from "effect"
import type { Store } from "../../../core/ports/Store.ts"
import { isId } from "../../../core/shared/Id.ts"
import { ask, type Database } from "../database.ts"
import { refunds } from "../tables/refunds.ts"
import { bareId, LAST_UUID } from "../tables/Table.ts"
import { firstOf } from "./rows.ts"

type Reads = Pick<Store["Service"], "findRefund" | "findRefunds" | "listRefunds">

const newest = (column: string): string =>
  `SELECT ${refunds.selection} FROM refunds WHERE ${column} = $1::uuid AND id < $2::uuid
    ORDER BY id DESC LIMIT $3`

/** The statements of these questions. */
export const REFUND_SQL = {
  refund: `SELECT ${refunds.selection} FROM refunds WHERE id = $1::uuid`,
  refunds: `SELECT ${refunds.selection} FROM refunds WHERE id = ANY ($1::uuid[])`,
  ofIntent: newest("payment_intent"),
  ofPayee: newest("payee_account_id"),
}

/** Questions about refunds. */
export const refundReads = ({ reads }: Database): Reads => ({
  findRefund: (id) =>
    !isId("ref", id)
      ? Effect.succeed(undefined)
      : Effect.map(ask(reads, REFUND_SQL.refund, [bareId("ref", id)]), firstOf(refunds)),
  findRefunds: (ids) => {
    const bare = ids.filter((id) => isId("ref", id)).map((id) => bareId("ref", id))
    if (bare.length === 0) return Effect.succeed([])
    return Effect.map(ask(reads, REFUND_SQL.refunds, [`{${bare.join()}}`]), (rows) =>
      rows.map((row) => refunds.fromRow(row)),
    )
  },
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
