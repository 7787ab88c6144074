import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { UsageInput } from "../../../core/subscriptions/reportUsage.ts"
import { StartUsageInput, TabQuery } from "../../../core/subscriptions/startUsage.ts"
import { subscribeRules } from "../../../core/subscriptions/SubscribeInput.ts"
import { AccountKey } from "./Access.ts"
import { ANY, CHANGE, BODY, KEYED, ONCE, ofFields, refusals } from "./Errors.ts"
import { Idempotency, Rules } from "./Route.ts"
import { ById } from "./Wire.ts"
import { TabView, UsageView } from "../../../core/invoices/UsageView.ts"

/** What agents use of services that are sold by use. */
export const usage = HttpApiGroup.make("serviceUsage")
  .add(
    HttpApiEndpoint.post("report", "/v1/services/:id/usage", {
      disableCodecs: true,
      params: ById,
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
      error: refusals(ANY, KEYED, BODY, ONCE, ["NOT_FOUND", "FORBIDDEN", "USAGE_NOT_STARTED"]),
    })
      .annotate(Idempotency, "checked")
      .annotate(OpenApi.Summary, "Report what an agent has used of your service (seller)"),
    HttpApiEndpoint.post("start", "/v1/services/:id/tab", {
      disableCodecs: true,
      params: ById,
      payload: StartUsageInput.annotate({
        identifier: "StartUsageInput",
        description: "The agent whose use is to count: by default that of the key.",
        examples: [{ payer: { agent_id: "agent_buyer_1" } }],
      }),
      success: TabView.pipe(HttpApiSchema.status(201)),
      error: refusals(ANY, KEYED, BODY, ONCE, ofFields(subscribeRules), [
        "NOT_FOUND",
        "SERVICE_NOT_ACTIVE",
      ]),
    })
      .annotate(Rules, subscribeRules)
      .annotate(Idempotency, "checked")
      .annotate(OpenApi.Summary, "Start or resume cumulative billing of an agent (buyer)"),
    HttpApiEndpoint.get("tab", "/v1/services/:id/tab", {
      disableCodecs: true,
      params: ById,
      query: TabQuery.fields,
      success: TabView,
      error: refusals(ANY, KEYED, ["NOT_FOUND"]),
    }).annotate(OpenApi.Summary, "Get what an agent has used since its last invoice"),
    HttpApiEndpoint.delete("stop", "/v1/services/:id/tab", {
      disableCodecs: true,
      params: ById,
      query: TabQuery.fields,
      success: TabView,
      error: refusals(ANY, CHANGE, KEYED, ["NOT_FOUND"]),
    }).annotate(OpenApi.Summary, "End cumulative billing of an agent, and bill what was used"),
  )
  .middleware(AccountKey)
  .annotate(OpenApi.Title, "Usage of services")
