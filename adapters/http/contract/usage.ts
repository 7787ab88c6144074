import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { UsageInput } from "../../../core/subscriptions/reportUsage.ts"
import { StartUsageInput, TabQuery } from "../../../core/subscriptions/startUsage.ts"
import { subscribeRules } from "../../../core/subscriptions/SubscribeInput.ts"
import { AccountKey } from "./Access.ts"
import { ofFields } from "./Errors.ts"
import { TabView, UsageView } from "../../../core/invoices/UsageView.ts"
import { account } from "./Endpoint.ts"
import { Group } from "./Route.ts"

/** What agents use of services that are sold by use. */
export const usage = HttpApiGroup.make("serviceUsage")
  .add(
    account.post("report", "/v1/services/:id/usage", {
      summary: "Report what an agent has used of your service (seller)",
      payload: UsageInput.annotate({
        identifier: "UsageInput",
        description: "What an agent has used, counted once for each idempotency_key.",
        examples: [
          {
            agent_id: "agent_buyer_1",
            quantity: "12.5",
            occurred_at: "2026-01-31T08:00:00Z",
            idempotency_key: "call-8F3a",
          },
        ],
      }),
      success: UsageView.pipe(HttpApiSchema.status(201)),
      refusals: ["NOT_FOUND", "FORBIDDEN", "USAGE_NOT_STARTED"],
    }),
    account.post("start", "/v1/services/:id/tab", {
      summary: "Start or resume cumulative billing of an agent (buyer)",
      payload: StartUsageInput.annotate({
        identifier: "StartUsageInput",
        description: "The agent whose use is to count: by default that of the key.",
        examples: [{ payer: { agent_id: "agent_buyer_1" } }],
      }),
      rules: subscribeRules,
      success: TabView.pipe(HttpApiSchema.status(201)),
      refusals: [
        ...ofFields(subscribeRules),
        "NOT_FOUND",
        "SERVICE_NOT_ACTIVE",
        "PLAN_LIMIT_EXCEEDED",
      ],
    }),
    account.get("tab", "/v1/services/:id/tab", {
      summary: "Get what an agent has used since its last invoice",
      query: TabQuery.fields,
      success: TabView,
      refusals: ["NOT_FOUND"],
    }),
    account.delete("stop", "/v1/services/:id/tab", {
      summary: "End cumulative billing of an agent, and bill what was used",
      query: TabQuery.fields,
      success: TabView,
      refusals: ["NOT_FOUND"],
    }),
  )
  .middleware(AccountKey)
  .annotate(Group, "pay")
  .annotate(OpenApi.Title, "Usage of services")
