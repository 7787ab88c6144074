import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ReportView } from "../../../core/reports/ReportView.ts"
import { ReportQuery } from "../../../core/reports/showReconciliation.ts"
import { AccountKey, AdminKey } from "./Access.ts"
import { TextType } from "./Route.ts"
import { RunsView } from "../../../core/reports/RunView.ts"
import { account, operator } from "./Endpoint.ts"

const CSV = "text/csv; charset=utf-8; header=present"

/** What an account's payments came to, and what channels say otherwise (Reconciliation). */
export const reports = HttpApiGroup.make("reports")
  .add(
    account.get("reconciliation", "/v1/reports/reconciliation", {
      summary: "Get the reconciliation report",
      description: "`Accept: text/csv` gives the same as CSV.",
      query: ReportQuery.fields,
      headers: {
        accept: Schema.optionalKey(Schema.String).annotate({
          description: "`text/csv` for CSV; anything else gives JSON.",
        }),
      },
      annotations: TextType.context(CSV),
      success: [ReportView, Schema.String.pipe(HttpApiSchema.asText({ contentType: CSV }))],
    }),
  )
  .middleware(AccountKey)
  .annotate(OpenApi.Title, "Reports")

/** What the operator sees of the statements. */
export const reconciliationRuns = HttpApiGroup.make("reconciliationRuns")
  .add(
    operator.get("list", "/v1/reports/reconciliation/runs", {
      summary: "List the runs that compared statements with the ledger",
      query: ReportQuery.fields,
      success: RunsView,
    }),
  )
  .middleware(AdminKey)
  .annotate(OpenApi.Title, "Reconciliation runs")
