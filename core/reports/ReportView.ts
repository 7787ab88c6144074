import { Schema } from "effect"
import type { Discrepancy } from "../gateway/Discrepancy.ts"
import { utcDay } from "../shared/Timestamp.ts"
import { Day, Row, Sums } from "./Report.ts"

/** The kinds of discrepancies in a report. */
const REPORTED_KINDS = [
  "missing_at_channel",
  "missing_at_service",
  "amount_mismatch",
  "status_mismatch",
  "late_payment",
] as const

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

/** A discrepancy in a report. */
export const DiscrepancyView = Schema.Struct({
  date: Day,
  kind: Schema.Literals(REPORTED_KINDS).annotateKey({ description: "The kind of difference." }),
  payment_intent: Schema.optionalKey(Schema.String).annotateKey({
    description: "The payment's id.",
  }),
  channel: Schema.String.annotateKey({ description: "The channel's name, such as `wallet_a`." }),
  trade_no: Schema.optionalKey(Schema.String).annotateKey({
    description: "The channel's transaction number.",
  }),
  expected: Schema.optionalKey(Schema.String).annotate({
    description: "The value in our records; an amount in major units.",
  }),
  actual: Schema.optionalKey(Schema.String).annotate({
    description: "The value that the channel reports; an amount in major units.",
  }),
})
/** See {@link DiscrepancyView}. */
export type DiscrepancyView = typeof DiscrepancyView.Type

/** The reconciliation report. */
export const ReportView = Schema.Struct({
  from: Day,
  to: Day,
  rows: Schema.Array(Row).annotateKey({
    description: "One row for each day, channel and currency.",
  }),
  totals: Schema.Array(Sums).annotateKey({ description: "The sums of the rows, by currency." }),
  discrepancies: Schema.Array(DiscrepancyView).annotateKey({
    description: "The differences between channels' statements and the ledger.",
  }),
  has_more_discrepancies: Schema.Boolean.annotate({
    description:
      "Whether there are more than 1,000 discrepancies. If so, request a shorter period.",
  }),
  pending_days: Schema.Array(Day).annotate({
    description: "Days with rows whose statements have not all been compared yet.",
  }),
}).annotate({
  identifier: "ReconciliationReport",
  description: "One row for each date, channel and settlement currency, from the ledger.",
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
          expected: "6.99 USD",
        },
      ],
      has_more_discrepancies: false,
      pending_days: [],
    },
  ],
})
/** See {@link ReportView}. */
export type ReportView = typeof ReportView.Type

/** A callback of a channel that the payment does not use counts as a different status. */
const kindOf = ({ kind }: Discrepancy): DiscrepancyView["kind"] =>
  kind === "channel_mismatch" ? "status_mismatch" : kind

/** Shows a discrepancy without empty fields. */
export const discrepancyView = (found: Discrepancy): DiscrepancyView => ({
  date: utcDay(found.created_at),
  kind: kindOf(found),
  payment_intent: found.payment_intent,
  channel: found.channel,
  ...(found.trade_no !== "" && { trade_no: found.trade_no }),
  ...(found.expected !== "" && { expected: found.expected }),
  ...(found.actual !== "" && { actual: found.actual }),
})
