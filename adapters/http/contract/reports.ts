import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ReportView } from "../../../core/reports/ReportView.ts"
import { ReportQuery } from "../../../core/reports/showReconciliation.ts"
import { AccountKey, AdminKey } from "./Access.ts"
import { Audiences, TextType } from "./Route.ts"
import { RunsView } from "../../../core/reports/RunView.ts"
import { account, operator } from "./Endpoint.ts"

const CSV = "text/csv; charset=utf-8; header=present"

/** The sums of an account's payments, and the discrepancies with channels (Reconciliation). */
export const reports = HttpApiGroup.make("reports")
  .add(
    account.get("reconciliation", "/v1/reports/reconciliation", {
      mayBeStale: true,
      summary: "Get the reconciliation report",
      description:
        "`Accept: text/csv` returns the report as CSV. Use it to compare the books with " +
        "the channels' statements. Single rows are in `/v1/ledger/entries`.",
      query: ReportQuery.fields,
      headers: {
        accept: Schema.optionalKey(Schema.String).annotate({
          description: "`text/csv` for CSV. Any other value gives JSON.",
        }),
      },
      annotations: TextType.context(CSV),
      success: [ReportView, Schema.String.pipe(HttpApiSchema.asText({ contentType: CSV }))],
    }),
  )
  .middleware(AccountKey)
  .annotate(Audiences, ["seller"])
  .annotate(OpenApi.Title, "Reports")

/** The operators' view of statements. */
export const reconciliationRuns = HttpApiGroup.make("reconciliationRuns")
  .add(
    operator.get("list", "/v1/reports/reconciliation/runs", {
      mayBeStale: true,
      summary: "List the comparisons of statements with the ledger",
      description:
        "For operators, to see whether each channel's statement was received and compared. " +
        "A seller's own discrepancies are in the reconciliation report.",
      query: ReportQuery.fields,
      success: RunsView,
    }),
  )
  .middleware(AdminKey)
  .annotate(Audiences, ["operator"])
  .annotate(OpenApi.Title, "Reconciliation runs")
