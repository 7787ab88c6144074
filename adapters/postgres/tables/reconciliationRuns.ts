import * as column from "./codecs.ts"
import { makeTable } from "./Table.ts"

export const reconciliationRuns = makeTable({
  kind: "reconciliation_run",
  name: "reconciliation_runs",
  fields: {
    day: column.plainText("… ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'"),
    channel: column.plainText(),
    runs: column.count,
    attempts: column.count,
    failure: column.nullable(column.text),
    result: column.nullable(column.jsonObject()),
    completed_at: column.nullable(column.timestamp),
    due_at: column.nullable(column.timestamp),
  },
  constraints: {
    reconciliation_runs_facts:
      "(completed_at IS NULL) = (runs = 0) AND (result IS NULL) = (runs = 0)",
  },
})
