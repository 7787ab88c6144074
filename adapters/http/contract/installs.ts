import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  AgentQuery,
  InstallInput,
  installRules,
  ListInstallsQuery,
} from "../../../core/installs/InstallInput.ts"
import { PageQuery } from "../../../core/shared/Page.ts"
import { Deleted } from "../../../core/shared/Wire.ts"
import { AccountKey } from "./Access.ts"
import { ANY, CHANGE, BODY, KEYED, ONCE, refusals } from "./Errors.ts"
import { Idempotency, Rules } from "./Route.ts"
import { ById, page } from "./Wire.ts"
import { exampleSettings, InstallView } from "../../../core/installs/InstallView.ts"

/** How agents use services, and what they may pay without asking (Installs). */
export const installs = HttpApiGroup.make("installs")
  .add(
    HttpApiEndpoint.post("put", "/v1/services/:id/installs", {
      disableCodecs: true,
      params: ById,
      payload: InstallInput.annotate({
        identifier: "InstallInput",
        description: "What is left out stays as it is; null takes it away.",
        examples: [exampleSettings],
      }),
      success: InstallView.pipe(HttpApiSchema.status(201)),
      error: refusals(ANY, KEYED, BODY, ONCE, [
        "NOT_FOUND",
        "FORBIDDEN",
        "INVALID_AMOUNT",
        "UNSUPPORTED_CHANNEL",
        "SERVICE_NOT_ACTIVE",
        "PLAN_LIMIT_EXCEEDED",
        "CHANNEL_UNAVAILABLE",
        "CHANNEL_NO_DEEPLINK",
      ]),
    })
      .annotate(Rules, installRules)
      .annotate(Idempotency, "checked")
      .annotate(OpenApi.Summary, "Install a service for an agent, or change its install (buyer)"),
    HttpApiEndpoint.get("listOfService", "/v1/services/:id/installs", {
      disableCodecs: true,
      params: ById,
      query: PageQuery.fields,
      success: page(InstallView),
      error: refusals(ANY, KEYED),
    }).annotate(OpenApi.Summary, "List the installs of a service by your agents"),
    HttpApiEndpoint.delete("uninstall", "/v1/services/:id/installs", {
      disableCodecs: true,
      params: ById,
      query: AgentQuery.fields,
      success: Deleted,
      error: refusals(ANY, CHANGE, KEYED, ["NOT_FOUND"]),
    }).annotate(OpenApi.Summary, "Remove the install of a service by one of your agents"),
    HttpApiEndpoint.get("list", "/v1/installs", {
      disableCodecs: true,
      query: ListInstallsQuery.fields,
      success: page(InstallView),
      error: refusals(ANY, KEYED),
    }).annotate(OpenApi.Summary, "List the installs of your agents"),
    HttpApiEndpoint.get("get", "/v1/installs/:id", {
      disableCodecs: true,
      params: ById,
      success: InstallView,
      error: refusals(ANY, KEYED, ["NOT_FOUND"]),
    }).annotate(OpenApi.Summary, "Get an install"),
    HttpApiEndpoint.delete("delete", "/v1/installs/:id", {
      disableCodecs: true,
      params: ById,
      success: Deleted,
      error: refusals(ANY, CHANGE, KEYED, ["NOT_FOUND"]),
    }).annotate(OpenApi.Summary, "Remove an install, and end its mandate"),
  )
  .middleware(AccountKey)
  .annotate(OpenApi.Title, "Installs")
  .annotate(
    OpenApi.Description,
    "How an agent uses a service: its channels, and what it may pay without asking its person.",
  )
