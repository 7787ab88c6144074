import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { UsageQuery } from "../../../core/billing/showUsage.ts"
import { PageQuery } from "../../../core/shared/Page.ts"
import { AccountKey } from "./Access.ts"
import { ANY, KEYED, refusals } from "./Errors.ts"
import { ById, page } from "./Wire.ts"
import { BillView } from "../../../core/billing/BillView.ts"
import { StatementView } from "../../../core/billing/Statement.ts"

/** What the caller's plan costs (Monthly plans, Per-API usage fees). */
export const billing = HttpApiGroup.make("billing")
  .add(
    HttpApiEndpoint.get("usage", "/v1/usage", {
      disableCodecs: true,
      query: UsageQuery.fields,
      success: BillView,
      error: refusals(ANY, KEYED),
    }).annotate(OpenApi.Summary, "Get what was used in a month"),
    HttpApiEndpoint.get("statements", "/v1/billing/statements", {
      disableCodecs: true,
      query: PageQuery.fields,
      success: page(StatementView),
      error: refusals(ANY, KEYED),
    }).annotate(OpenApi.Summary, "List the statements, newest first"),
    HttpApiEndpoint.get("statement", "/v1/billing/statements/:id", {
      disableCodecs: true,
      params: ById,
      success: StatementView,
      error: refusals(ANY, KEYED, ["NOT_FOUND"]),
    }).annotate(OpenApi.Summary, "Get a statement"),
  )
  .middleware(AccountKey)
  .annotate(OpenApi.Title, "Billing")
