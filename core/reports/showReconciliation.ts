import { Effect, Schema } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { meterAnswer } from "../billing/meterAnswer.ts"
import { Store } from "../ports/Store.ts"
import { Failure } from "../shared/Failure.ts"
import { DAY, fromIso } from "../shared/Timestamp.ts"
import { startOf } from "./ReconciliationRun.ts"
import { rowsOf, totalsOf } from "./Report.ts"
import { discrepancyView, type ReportView } from "./ReportView.ts"
import { runView } from "./RunView.ts"

/** The longest period of a report, in days. */
const MOST_DAYS = 92

/** The most discrepancies in a report. */
const MOST_SHOWN = 1_000

const Day = Schema.String.check(
  Schema.makeFilter(
    (text: string) =>
      (/^\d{4}-\d{2}-\d{2}$/.test(text) && fromIso(`${text}T00:00:00Z`) !== undefined) ||
      "must be a date, such as 2030-01-31",
  ),
)

/** The query of `GET /v1/reports/reconciliation`: UTC days, both inclusive. */
export const ReportQuery = Schema.Struct({
  from: Day.annotateKey({ description: "The first UTC day, such as 2030-01-01." }),
  to: Day.annotateKey({ description: "The last UTC day, at most 91 days after the first." }),
})
/** A decoded {@link ReportQuery}. */
export type ReportQuery = typeof ReportQuery.Type

const badPeriod = ({ from, to }: ReportQuery) => {
  const days = (startOf(to) - startOf(from)) / DAY + 1
  const reason =
    days < 1
      ? "must not be before from"
      : days > MOST_DAYS
        ? `must be at most ${MOST_DAYS - 1} days after from`
        : undefined
  return reason === undefined
    ? undefined
    : new Failure({
        code: "INVALID_QUERY",
        message: `The query parameter to ${reason}.`,
        field: "to",
        details: { field: "to", constraint: reason },
      })
}

/**
 * Reports what the caller's payments came to, day by day, and how the channels' statements differ
 * (Reconciliation). No channel is asked: workers have already compared the statements of past days.
 *
 * Fails with `INVALID_QUERY` for a period that ends before it begins or is too long.
 */
export const showReconciliation = Effect.fn("showReconciliation")(function* (
  caller: Caller,
  query: ReportQuery,
) {
  const flaw = badPeriod(query)
  if (flaw !== undefined) return yield* flaw
  const store = yield* Store
  const { account } = caller
  const { from, to } = query
  const period = { from: startOf(from), to: startOf(to) + DAY, limit: MOST_SHOWN + 1 }
  const [sums, found, runs] = yield* Effect.all(
    [
      store.listDayTotals({ account_id: account.id, from, to }),
      store.listDiscrepancies({ account_id: account.id, ...period }),
      store.listRuns(from, to),
    ],
    { concurrency: "unbounded" },
  )
  const rows = rowsOf(sums)
  const done = new Set(
    runs.filter((run) => run.completed_at !== null).map(({ channel, day }) => `${day} ${channel}`),
  )
  const pending = rows.filter(({ channel, date }) => !done.has(`${date} ${channel}`))
  const report: ReportView = {
    from,
    to,
    rows,
    totals: totalsOf(sums),
    discrepancies: found.slice(0, MOST_SHOWN).map(discrepancyView),
    has_more_discrepancies: found.length > MOST_SHOWN,
    pending_days: [...new Set(pending.map(({ date }) => date))],
  }
  return yield* meterAnswer(caller, "reconciliation-report", report)
})

/**
 * Lists the runs of a period for the operator, over all channels and accounts. Only this list shows
 * lines of unknown trades.
 *
 * Fails with `INVALID_QUERY` for a period that ends before it begins or is too long.
 */
export const listRuns = Effect.fn("listRuns")(function* (query: ReportQuery) {
  const flaw = badPeriod(query)
  if (flaw !== undefined) return yield* flaw
  return { data: (yield* (yield* Store).listRuns(query.from, query.to)).map(runView) }
})
