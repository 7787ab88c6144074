import { Effect } from "effect"
import type { Store } from "../../core/ports/Store.ts"
import { statementName } from "../../core/billing/Statement.ts"
import { own } from "./lists.ts"
import type { State } from "./State.ts"

type Reads = Pick<
  Store["Service"],
  "countQrCodes" | "readCounters" | "findStatementOf" | "listStatements"
>

/** Questions about what accounts have used, and what that came to. */
export const usageReads = ({ counters, tables }: State): Reads => ({
  countQrCodes: ({ account_id, from, to }) =>
    Effect.sync(() => {
      let count = 0
      for (const intent of tables.payment_intent.listed(account_id)) {
        const { created_at } = intent
        const isCounted = intent.account_id === account_id && created_at >= from && created_at < to
        if (isCounted) count += intent.offers.length
      }
      return count
    }),
  findStatementOf: (accountId, month) =>
    Effect.sync(() => tables.statement.named(statementName(accountId, month))),
  listStatements: (query) => Effect.sync(() => own(tables.statement, query)),
  readCounters: (names) => Effect.sync(() => names.map((name) => counters.get(name) ?? 0)),
})
