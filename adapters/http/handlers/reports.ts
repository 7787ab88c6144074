import { Effect } from "effect"
import { toCsv } from "../../../core/reports/ReportCsv.ts"
import { listRuns, showReconciliation } from "../../../core/reports/showReconciliation.ts"
import type { reconciliationRuns, reports } from "../contract/reports.ts"
import type { GroupHandlers } from "../koa/Handlers.ts"
import type { Core } from "./Core.ts"

/** How much a caller wants a media type that it names; what it does not name it does not want. */
const weightOf = (accept: string, type: string): number => {
  const named = accept
    .toLowerCase()
    .split(",")
    .map((part) => part.split(";").map((piece) => piece.trim()))
    .find(([name]) => name === type)
  if (named === undefined) return 0
  const weight = named.find((piece) => piece.startsWith("q="))?.slice(2)
  return weight === undefined
    ? 1
    : /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight)
      ? +weight
      : 0
}

/** Whether CSV is asked for by name, and JSON is not wanted more. */
const wantsCsv = (accept: string | ReadonlyArray<string> | undefined): boolean => {
  const text = typeof accept === "string" ? accept : (accept ?? []).join(",")
  const csv = weightOf(text, "text/csv")
  return csv > 0 && csv >= weightOf(text, "application/json")
}

export const reportHandlers: GroupHandlers<typeof reports, Core> = {
  reconciliation: ({ caller, headers, query }) =>
    Effect.map(showReconciliation(caller, query), (report) =>
      wantsCsv(headers.accept) ? toCsv(report) : report,
    ),
}

export const reconciliationRunHandlers: GroupHandlers<typeof reconciliationRuns, Core> = {
  list: ({ query }) => listRuns(query),
}
