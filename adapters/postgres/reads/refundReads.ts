import type { Store } from "../../../core/ports/Store.ts"
import type { Database } from "../database.ts"
import { refunds } from "../tables/refunds.ts"
import { newest, newestSql } from "./newest.ts"

type Reads = Pick<Store["Service"], "listRefunds">

/** The statements of these questions. */
export const REFUND_SQL = {
  ofIntent: newestSql(refunds, "payment_intent"),
  ofPayee: newestSql(refunds, "payee_account_id"),
}

/** Questions about refunds. */
export const refundReads = ({ reads }: Database): Reads => ({
  listRefunds: (query) =>
    "payment_intent" in query
      ? newest(reads, refunds, REFUND_SQL.ofIntent, ["pi", query.payment_intent], query)
      : newest(reads, refunds, REFUND_SQL.ofPayee, ["acct", query.payee_account_id], query),
})
