import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { UsageInput } from "../../../core/subscriptions/reportUsage.ts"
import { StartUsageInput, startUsageRules } from "../../../core/subscriptions/StartUsageInput.ts"
import { TabQuery } from "../../../core/subscriptions/startUsage.ts"
import { AccountKey } from "./Access.ts"
import { ofFields } from "./Errors.ts"
import { TabView, UsageView } from "../../../core/invoices/UsageView.ts"
import { account } from "./Endpoint.ts"
import { Audiences, Group } from "./Route.ts"

/** The usage of services that are sold by use. */
export const usage = HttpApiGroup.make("serviceUsage")
  .add(
    account.post("report", "/v1/services/:id/usage", {
      audiences: ["seller"],
      summary: "Report an agent's use of your service (seller)",
      description:
        "Use it for each use of a service with `cumulative` pricing, once per " +
        "`idempotency_key`. For a day after a tab was closed, use before that is accepted with " +
        "its `occurred_at`. Use by which the period's bill would be more than its payer may pay " +
        "at once is refused: stop serving the agent then. So is use that no channel which the " +
        "service accepts now could pay. For single sales, use payments.",
      payload: UsageInput.annotate({
        identifier: "UsageInput",
        description: "An agent's use, counted once for each `idempotency_key`.",
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
      refusals: [
        "NOT_FOUND",
        "FORBIDDEN",
        "USAGE_NOT_STARTED",
        "INSUFFICIENT_KYC",
        "CHANNEL_UNAVAILABLE",
      ],
    }),
    account.post("start", "/v1/services/:id/tab", {
      summary: "Start or resume cumulative billing of an agent (buyer)",
      description:
        "Use it before using a service with `cumulative` pricing: only use with an open " +
        "tab is billed. A closed tab is opened again at the current price, with a new period. " +
        "Send `rate` and `currency` as you have read them: if the seller has changed its price " +
        "since, nothing starts. It is refused where no channel of the service could take the " +
        "bill, and while an earlier bill is owed that was given up. For a plan, subscribe instead.",
      payload: StartUsageInput.annotate({
        identifier: "StartUsageInput",
        description: "The agent whose use is billed. Default: the agent of a buyer's key.",
        examples: [{ payer: { agent_id: "agent_buyer_1" }, rate: "0.25", currency: "USD" }],
      }),
      rules: startUsageRules,
      success: TabView.pipe(HttpApiSchema.status(201)),
      refusals: [
        ...ofFields(startUsageRules),
        "NOT_FOUND",
        "SERVICE_NOT_ACTIVE",
        "PLAN_LIMIT_EXCEEDED",
        "INVOICE_UNPAID",
        "INVALID_AMOUNT",
        "CHANNEL_UNAVAILABLE",
        "CHANNEL_NO_DEEPLINK",
      ],
    }),
    account.get("tab", "/v1/services/:id/tab", {
      audiences: ["buyer", "seller"],
      summary: "Get an agent's use since its last invoice",
      description: "Use it to see use that is not billed yet. Billed use is in `/v1/invoices`.",
      query: TabQuery.fields,
      success: TabView,
      refusals: ["NOT_FOUND"],
    }),
    account.delete("stop", "/v1/services/:id/tab", {
      summary: "End cumulative billing of an agent, and bill its use",
      description:
        "Use it when the agent no longer needs the service. Use so far can be reported for a " +
        "day. Then it is billed, rounded up.",
      query: TabQuery.fields,
      success: TabView,
      refusals: ["NOT_FOUND"],
    }),
  )
  .middleware(AccountKey)
  .annotate(Group, "pay")
  .annotate(Audiences, ["buyer"])
  .annotate(OpenApi.Title, "Usage of services")
