import type { ReconciliationRun } from "../../../core/reports/ReconciliationRun.ts"
import { asItIs, id, integer, json, makeTable, nullable, text, timestamp } from "./Table.ts"

export const reconciliationRuns = makeTable<"reconciliation_run", ReconciliationRun>({
  kind: "reconciliation_run",
  name: "reconciliation_runs",
  prefix: "rrun",
  due: true,
  columns: {
    id: id("rrun"),
    version: integer,
    day: text,
    channel: text,
    runs: integer,
    attempts: integer,
    failure: nullable(text),
    result: nullable(json()),
    completed_at: nullable(timestamp),
    due_at: nullable(timestamp),
  },
  flatten: asItIs,
  restore: asItIs,
})
