import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ReportView } from "../../../core/reports/ReportView.ts"
import { ReportQuery } from "../../../core/reports/showReconciliation.ts"
import { AccountKey, AdminKey } from "./Access.ts"
import { ANY, KEYED, OPERATED, refusals } from "./Errors.ts"
import { TextType } from "./Route.ts"
import { RunsView } from "../../../core/reports/RunView.ts"

const CSV = "text/csv; charset=utf-8; header=present"

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
      success: [ReportView, Schema.String.pipe(HttpApiSchema.asText({ contentType: CSV }))],
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
      success: RunsView,
      error: refusals(ANY, OPERATED),
    }).annotate(OpenApi.Summary, "List the runs that compared statements with the ledger"),
  )
  .middleware(AdminKey)
  .annotate(OpenApi.Title, "Reconciliation runs")
