import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { REPORTED_KINDS } from "../../../core/reports/ReportView.ts"
import { ReportQuery } from "../../../core/reports/showReconciliation.ts"
import { Amount, Time } from "../../../core/shared/Wire.ts"
import { AccountKey, AdminKey } from "./Access.ts"
import { ANY, KEYED, refusals } from "./Errors.ts"
import { TextType } from "./Route.ts"

const CSV = "text/csv; charset=utf-8; header=present"

const minor = (description: string) =>
  Schema.Int.annotate({ description: `${description}, in minor units of \`currency\`.` })

const day = Schema.String.annotate({ description: "A UTC day, such as 2026-01-31." })

const sums = {
  currency: Schema.String.annotate({ description: "The settlement currency of every column." }),
  payments: Schema.Int.annotate({ description: "How many payments were settled." }),
  gross: minor("What they were worth at the mid-market rate"),
  refunds: minor("What of that was refunded or is set aside for refunds"),
  service_fees: minor("The service's fees, less those that refunds gave back"),
  fx_spread: minor("What was kept of exchanges, less what refunds gave back"),
  channel_fees: minor("The channels' fees"),
  net: minor("What the wallet gets: gross less the columns before, once the fees have left it"),
}

const example = {
  currency: "USD",
  payments: 1,
  gross: 699,
  refunds: 0,
  service_fees: 3,
  fx_spread: 0,
  channel_fees: 4,
  net: 692,
}

const Report = Schema.Struct({
  from: day,
  to: day,
  rows: Schema.Array(Schema.Struct({ date: day, channel: Schema.String, ...sums })),
  totals: Schema.Array(Schema.Struct(sums)),
  discrepancies: Schema.Array(
    Schema.Struct({
      date: day,
      kind: Schema.Literals(REPORTED_KINDS),
      payment_intent: Schema.optionalKey(Schema.String),
      channel: Schema.String,
      trade_no: Schema.optionalKey(Schema.String),
      expected: Schema.optionalKey(Schema.String).annotate({ description: "By our records." }),
      actual: Schema.optionalKey(Schema.String).annotate({ description: "By the channel." }),
    }),
  ),
  has_more_discrepancies: Schema.Boolean.annotate({
    description: "Whether there are more than 1,000; ask for a shorter period.",
  }),
  pending_days: Schema.Array(day).annotate({
    description: "Days with rows whose statements have not all been compared yet.",
  }),
}).annotate({
  identifier: "ReconciliationReport",
  description: "A row a date, channel and settlement currency, by the ledger.",
  examples: [
    {
      from: "2026-01-01",
      to: "2026-01-31",
      rows: [{ date: "2026-01-31", channel: "wallet_a", ...example }],
      totals: [example],
      discrepancies: [
        {
          date: "2026-01-31",
          kind: "missing_at_channel",
          payment_intent: "pi_01997d3e-8a00-7000-8000-000000000020",
          channel: "wallet_a",
          expected: "699 USD",
        },
      ],
      has_more_discrepancies: false,
      pending_days: [],
    },
  ],
})

const Runs = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      date: day,
      channel: Schema.String,
      runs: Schema.Int.annotate({ description: "How often it was compared." }),
      failed_attempts: Schema.Int,
      failure: Schema.NullOr(Schema.String),
      completed_at: Schema.NullOr(Time),
      next_run_at: Schema.NullOr(Time),
      result: Schema.NullOr(
        Schema.Struct({
          lines: Schema.Int.annotate({ description: "Lines of the statement." }),
          booked: Schema.Int.annotate({ description: "Movements in the ledger." }),
          discrepancies: Schema.Int.annotate({ description: "Those of accounts." }),
          unstored: Schema.Int.annotate({ description: "Those that were too many to be kept." }),
          unknown: Schema.Int.annotate({ description: "Lines of trades that are nobody's." }),
          unknown_lines: Schema.Array(
            Schema.Struct({
              kind: Schema.Literals(["payment", "refund"]),
              out_trade_no: Schema.String,
              trade_no: Schema.String,
              number: Schema.NullOr(Schema.String),
              amount: Amount,
              status: Schema.Literals(["pending", "settled", "failed"]),
              at: Time,
            }),
          ).annotate({ description: "The first 100 of those." }),
        }),
      ),
    }),
  ),
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

/** What an account's payments came to, and what channels say otherwise (Reconciliation). */
export const reports = HttpApiGroup.make("reports")
  .add(
    HttpApiEndpoint.get("reconciliation", "/v1/reports/reconciliation", {
      disableCodecs: true,
      query: ReportQuery.fields,
      headers: {
        accept: Schema.optionalKey(Schema.String).annotate({
          description: "`text/csv` for CSV; anything else gives JSON.",
        }),
      },
      success: [Report, Schema.String.pipe(HttpApiSchema.asText({ contentType: CSV }))],
      error: refusals(ANY, KEYED),
    })
      .annotate(TextType, CSV)
      .annotate(OpenApi.Summary, "Get the reconciliation report")
      .annotate(OpenApi.Description, "`Accept: text/csv` gives the same as CSV."),
  )
  .middleware(AccountKey)
  .annotate(OpenApi.Title, "Reports")

/** What the operator sees of the statements. */
export const reconciliationRuns = HttpApiGroup.make("reconciliationRuns")
  .add(
    HttpApiEndpoint.get("list", "/v1/reports/reconciliation/runs", {
      disableCodecs: true,
      query: ReportQuery.fields,
      success: Runs,
      error: refusals(ANY, KEYED),
    }).annotate(OpenApi.Summary, "List the runs that compared statements with the ledger"),
  )
  .middleware(AdminKey)
  .annotate(OpenApi.Title, "Reconciliation runs")
