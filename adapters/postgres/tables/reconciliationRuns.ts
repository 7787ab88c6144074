import { text, plainText, jsonObject, timestamp, id, nullable, version, count } from "./codecs.ts"
import { makeTable } from "./Table.ts"

export const reconciliationRuns = makeTable({
  kind: "reconciliation_run",
  name: "reconciliation_runs",
  fields: {
    id: id("rrun"),
    version,
    day: plainText("… ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'"),
    channel: plainText(),
    runs: count,
    attempts: count,
    failure: nullable(text),
    result: nullable(jsonObject()),
    completed_at: nullable(timestamp),
    due_at: nullable(timestamp),
  },
  constraints: {
    reconciliation_runs_facts:
      "(completed_at IS NULL) = (runs = 0) AND (result IS NULL) = (runs = 0)",
  },
})
