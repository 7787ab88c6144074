import { Effect } from "effect"
import type { Store } from "../../core/ports/Store.ts"
import type { State } from "./State.ts"

type Reads = Pick<Store["Service"], "listClearing" | "listDiscrepancies" | "listRuns">

/** Questions about what channels say of their own books. */
export const reportReads = ({ ledger, tables }: State): Reads => ({
  listClearing: (query) => Effect.sync(() => ledger.clearing(query)),
  listDiscrepancies: (query) =>
    Effect.sync(() => {
      const listed = tables.discrepancy.listed("run" in query ? query.run : query.account_id)
      return [...listed]
        .filter(
          ({ created_at }) => "run" in query || (created_at >= query.from && created_at < query.to),
        )
        .toSorted((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1))
        .slice(0, query.limit)
    }),
  listRuns: (from, to) =>
    Effect.sync(() =>
      [...tables.reconciliation_run.values()]
        .filter(({ day }) => day >= from && day <= to)
        .toSorted((a, b) => (`${a.day} ${a.channel}` < `${b.day} ${b.channel}` ? -1 : 1)),
    ),
})
