import { HttpApiGroup, OpenApi } from "effect/http-api"
import { UsageQuery } from "../../../core/billing/showUsage.ts"
import { PageQuery } from "../../../core/shared/Page.ts"
import { AccountKey } from "./Access.ts"
import { page } from "./Wire.ts"
import { BillView } from "../../../core/billing/BillView.ts"
import { StatementView } from "../../../core/billing/Statement.ts"
import { account } from "./Endpoint.ts"

/** What the caller's plan costs (Monthly plans, Per-API usage fees). */
export const billing = HttpApiGroup.make("billing")
  .add(
    account.get("usage", "/v1/usage", {
      summary: "Get what was used in a month",
      query: UsageQuery.fields,
      success: BillView,
    }),
    account.get("statements", "/v1/billing/statements", {
      summary: "List the statements, newest first",
      query: PageQuery.fields,
      success: page(StatementView),
    }),
    account.get("statement", "/v1/billing/statements/:id", {
      summary: "Get a statement",
      success: StatementView,
      refusals: ["NOT_FOUND"],
    }),
  )
  .middleware(AccountKey)
  .annotate(OpenApi.Title, "Billing")
