import { Schema } from "effect"
import { toIso } from "../shared/Timestamp.ts"
import type { ReconciliationRun } from "./ReconciliationRun.ts"
import { exactly } from "../shared/Exact.ts"
import { Amount, Time } from "../shared/Wire.ts"
import { Day } from "./Report.ts"

const RunView = Schema.Struct({
  date: Day,
  channel: Schema.String.annotateKey({ description: "A channel by its name, such as `wallet_a`." }),
  runs: Schema.Int.annotate({ description: "How often it was compared." }),
  failed_attempts: Schema.Int.annotateKey({
    description: "How often the statement could not be fetched in a row.",
  }),
  failure: Schema.NullOr(Schema.String).annotateKey({
    description: "Why the last try failed; null where it did not.",
  }),
  completed_at: Schema.NullOr(Time).annotateKey({
    description: "When the day was compared; null before that.",
  }),
  next_run_at: Schema.NullOr(Time).annotateKey({
    description: "When it is tried again; null where it is not.",
  }),
  result: Schema.NullOr(
    Schema.Struct({
      lines: Schema.Int.annotate({ description: "Lines of the statement." }),
      booked: Schema.Int.annotate({ description: "Movements in the ledger." }),
      discrepancies: Schema.Int.annotate({ description: "Those of accounts." }),
      unstored: Schema.Int.annotate({ description: "Those that were too many to be kept." }),
      unknown: Schema.Int.annotate({ description: "Lines of trades that are nobody's." }),
      unknown_lines: Schema.Array(
        Schema.Struct({
          kind: Schema.Literals(["payment", "refund"]).annotateKey({
            description: "Whether money came or went back.",
          }),
          out_trade_no: Schema.String.annotateKey({
            description: "Our number of the charge, as the channel has it.",
          }),
          trade_no: Schema.String.annotateKey({
            description: "The channel's own number of what moved.",
          }),
          number: Schema.NullOr(Schema.String).annotateKey({
            description: "The number of the request to the channel, where the line has one.",
          }),
          amount: Amount,
          status: Schema.Literals(["pending", "settled", "failed"]).annotateKey({
            description: "What the statement says of it.",
          }),
          at: Time.annotateKey({ description: "When, by the statement." }),
        }),
      ).annotate({ description: "The first 100 of those." }),
    }),
  ).annotateKey({ description: "What was compared; null before that." }),
})

/** The runs of a period. */
export const RunsView = Schema.Struct({
  data: Schema.Array(RunView).annotateKey({ description: "The runs." }),
}).annotate({
  identifier: "ReconciliationRuns",
  description: "How each channel's statement of a day stood against the ledger.",
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
