import { Schema } from "effect"
import { toIso } from "../shared/Timestamp.ts"
import type { ReconciliationRun } from "./ReconciliationRun.ts"
import { exactly } from "../shared/Exact.ts"
import { Amount, Time } from "../shared/Wire.ts"
import { Day } from "./Report.ts"

const RunView = Schema.Struct({
  date: Day,
  channel: Schema.String.annotateKey({ description: "The channel's name, such as `wallet_a`." }),
  runs: Schema.Int.annotate({ description: "How often the statement was compared." }),
  failed_attempts: Schema.Int.annotateKey({
    description: "The number of consecutive failures to fetch the statement.",
  }),
  failure: Schema.NullOr(Schema.String).annotateKey({
    description: "Why the last attempt failed; null if it did not fail.",
  }),
  completed_at: Schema.NullOr(Time).annotateKey({
    description: "When the day was compared; null if it was not yet.",
  }),
  next_run_at: Schema.NullOr(Time).annotateKey({
    description: "When the next run starts; null if there is none.",
  }),
  result: Schema.NullOr(
    Schema.Struct({
      lines: Schema.Int.annotate({ description: "The number of lines in the statement." }),
      booked: Schema.Int.annotate({ description: "The number of movements in the ledger." }),
      discrepancies: Schema.Int.annotate({
        description: "The number of discrepancies in accounts' payments.",
      }),
      unstored: Schema.Int.annotate({
        description: "The number of discrepancies beyond the stored maximum.",
      }),
      unknown: Schema.Int.annotate({
        description: "The number of lines whose trades belong to no account.",
      }),
      unknown_lines: Schema.Array(
        Schema.Struct({
          kind: Schema.Literals(["payment", "refund"]).annotateKey({
            description: "Whether money was received or refunded.",
          }),
          out_trade_no: Schema.String.annotateKey({
            description: "Our number for the charge, as in the statement.",
          }),
          trade_no: Schema.String.annotateKey({
            description: "The channel's transaction number.",
          }),
          number: Schema.NullOr(Schema.String).annotateKey({
            description: "The number of our request to the channel, if the line has one.",
          }),
          amount: Amount,
          status: Schema.Literals(["pending", "settled", "failed"]).annotateKey({
            description: "The state according to the statement.",
          }),
          at: Time.annotateKey({ description: "The time according to the statement." }),
        }),
      ).annotate({ description: "The first 100 lines whose trades belong to no account." }),
    }),
  ).annotateKey({ description: "The result of the comparison; null before the first one." }),
})

/** The runs of a period. */
export const RunsView = Schema.Struct({
  data: Schema.Array(RunView).annotateKey({ description: "One run for each day and channel." }),
}).annotate({
  identifier: "ReconciliationRuns",
  description: "The comparison of each channel's daily statement with the ledger.",
  examples: [
    {
      data: [
        {
          date: "2026-01-31",
          channel: "wallet_a",
          runs: 1,
          failed_attempts: 0,
          failure: null,
          completed_at: "2026-02-01T02:00:00.000Z",
          next_run_at: "2026-02-02T02:00:00.000Z",
          result: {
            lines: 1,
            booked: 1,
            discrepancies: 0,
            unstored: 0,
            unknown: 0,
            unknown_lines: [],
          },
        },
      ],
    },
  ],
})

/** See {@link RunView}. */
export const runView = exactly<typeof RunView.Type>()((run: ReconciliationRun) => ({
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
}))
