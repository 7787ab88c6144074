import { HttpApiGroup, OpenApi } from "effect/http-api"
import { UsageQuery } from "../../../core/billing/showUsage.ts"
import { PageQuery } from "../../../core/shared/Page.ts"
import { AccountKey } from "./Access.ts"
import { page } from "./Wire.ts"
import { BillView } from "../../../core/billing/BillView.ts"
import { StatementView } from "../../../core/billing/Statement.ts"
import { account } from "./Endpoint.ts"
import { Audiences } from "./Route.ts"

/** The costs of the caller's plan (Monthly plans, Per-API usage fees). */
export const billing = HttpApiGroup.make("billing")
  .add(
    account.get("usage", "/v1/usage", {
      mayBeStale: true,
      summary: "Get the use and charges of a month",
      description: "Use it for the current month. Past months have statements.",
      query: UsageQuery.fields,
      success: BillView,
    }),
    account.get("statements", "/v1/billing/statements", {
      mayBeStale: true,
      summary: "List the statements, newest first",
      description: "Use it for past months. The current month is at `GET /v1/usage`.",
      query: PageQuery.fields,
      success: page(StatementView),
    }),
    account.get("statement", "/v1/billing/statements/:id", {
      summary: "Get a statement",
      description: "Use it for the bill of one past month. It no longer changes.",
      success: StatementView,
      refusals: ["NOT_FOUND"],
    }),
  )
  .middleware(AccountKey)
  .annotate(Audiences, ["seller"])
  .annotate(OpenApi.Title, "Billing")
