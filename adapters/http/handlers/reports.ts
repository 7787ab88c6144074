import { Effect } from "effect"
import { toCsv } from "../../../core/reports/ReportCsv.ts"
import { listRuns, showReconciliation } from "../../../core/reports/showReconciliation.ts"
import type { reconciliationRuns, reports } from "../contract/reports.ts"
import { wanted } from "./accept.ts"
import type { CoreHandlers } from "./Core.ts"

export const reportHandlers = {
  reconciliation: ({ caller, headers, query }) =>
    Effect.map(showReconciliation(caller, query), (report) =>
      wanted(headers.accept, ["text/csv"]) !== undefined ? toCsv(report) : report,
    ),
} satisfies CoreHandlers<typeof reports>

export const reconciliationRunHandlers = {
  list: ({ query }) => listRuns(query),
} satisfies CoreHandlers<typeof reconciliationRuns>
