import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  AgentQuery,
  InstallInput,
  installRules,
  ListInstallsQuery,
} from "../../../core/installs/InstallInput.ts"
import { PageQuery } from "../../../core/shared/Page.ts"
import { Deleted } from "../../../core/shared/Wire.ts"
import { AccountKey } from "./Access.ts"
import { page } from "./Wire.ts"
import { exampleSettings, InstallView } from "../../../core/installs/InstallView.ts"
import { account } from "./Endpoint.ts"
import { Audiences } from "./Route.ts"

/** How agents use services, and what they may pay without asking (Installs). */
export const installs = HttpApiGroup.make("installs")
  .add(
    account.post("put", "/v1/services/:id/installs", {
      summary: "Install a service for an agent, or change its install (buyer)",
      description:
        "Use it to let an agent pay small sums without asking, within a spend cap. Above " +
        "`auto_pay_limit` a person is still asked.",
      payload: InstallInput.annotate({
        identifier: "InstallInput",
        description:
          "The settings of the install. A missing field stays unchanged; null removes it.",
        examples: [exampleSettings],
      }),
      rules: installRules,
      success: InstallView.pipe(HttpApiSchema.status(201)),
      refusals: [
        "NOT_FOUND",
        "FORBIDDEN",
        "INVALID_AMOUNT",
        "UNSUPPORTED_CHANNEL",
        "SERVICE_NOT_ACTIVE",
        "PLAN_LIMIT_EXCEEDED",
        "CHANNEL_UNAVAILABLE",
        "CHANNEL_NO_DEEPLINK",
      ],
    }),
    account.get("listOfService", "/v1/services/:id/installs", {
      mayBeStale: true,
      audiences: ["buyer"],
      summary: "List the installs of a service by your agents",
      description:
        "Use it to see which of your agents use a service. For all services together, list " +
        "`/v1/installs`.",
      query: PageQuery.fields,
      success: page(InstallView),
    }),
    account.delete("uninstall", "/v1/services/:id/installs", {
      summary: "Remove the install of a service by one of your agents",
      description:
        "Use it if you know the service. If you know the install's id, use `DELETE " +
        "/v1/installs/{id}`.",
      query: AgentQuery.fields,
      success: Deleted,
      refusals: ["NOT_FOUND"],
    }),
    account.get("list", "/v1/installs", {
      mayBeStale: true,
      summary: "List the installs of your agents",
      description:
        "Use it to see what your agents may pay without asking a person. Payments are in " +
        "`/v1/payment-intents`.",
      query: ListInstallsQuery.fields,
      success: page(InstallView),
    }),
    account.get("get", "/v1/installs/:id", {
      summary: "Get an install",
      description:
        "Use it to see whether a mandate is approved, and what is left of the spend cap.",
      success: InstallView,
      refusals: ["NOT_FOUND"],
    }),
    account.delete("delete", "/v1/installs/:id", {
      summary: "Remove an install, and end its mandate",
      description:
        "Use it to withdraw an agent's permission to pay: from then on, nothing is paid " +
        "without asking a person. To change a limit, put the install again.",
      success: Deleted,
      refusals: ["NOT_FOUND"],
    }),
  )
  .middleware(AccountKey)
  .annotate(Audiences, ["buyer"])
  .annotate(OpenApi.Title, "Installs")
  .annotate(
    OpenApi.Description,
    "How an agent uses a service: its channels, and what it may pay without asking its person.",
  )
