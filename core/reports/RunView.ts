import { toIso } from "../shared/Timestamp.ts"
import type { ReconciliationRun } from "./ReconciliationRun.ts"

/** A run in the wire's shape. */
export const runView = (run: ReconciliationRun) => ({
  date: run.day,
  channel: run.channel,
  runs: run.runs,
  failed_attempts: run.attempts,
  failure: run.failure,
  completed_at: run.completed_at === null ? null : toIso(run.completed_at),
  next_run_at: run.due_at === null ? null : toIso(run.due_at),
  result:
    run.result === null
      ? null
      : {
          ...run.result,
          unknown_lines: run.result.unknown_lines.map((line) => ({
            ...line,
            at: toIso(line.at),
          })),
        },
})
