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

/** How agents use services, and what they may pay without asking (Installs). */
export const installs = HttpApiGroup.make("installs")
  .add(
    account.post("put", "/v1/services/:id/installs", {
      summary: "Install a service for an agent, or change its install (buyer)",
      payload: InstallInput.annotate({
        identifier: "InstallInput",
        description: "What is left out stays as it is; null takes it away.",
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
      summary: "List the installs of a service by your agents",
      query: PageQuery.fields,
      success: page(InstallView),
    }),
    account.delete("uninstall", "/v1/services/:id/installs", {
      summary: "Remove the install of a service by one of your agents",
      query: AgentQuery.fields,
      success: Deleted,
      refusals: ["NOT_FOUND"],
    }),
    account.get("list", "/v1/installs", {
      summary: "List the installs of your agents",
      query: ListInstallsQuery.fields,
      success: page(InstallView),
    }),
    account.get("get", "/v1/installs/:id", {
      summary: "Get an install",
      success: InstallView,
      refusals: ["NOT_FOUND"],
    }),
    account.delete("delete", "/v1/installs/:id", {
      summary: "Remove an install, and end its mandate",
      success: Deleted,
      refusals: ["NOT_FOUND"],
    }),
  )
  .middleware(AccountKey)
  .annotate(OpenApi.Title, "Installs")
  .annotate(
    OpenApi.Description,
    "How an agent uses a service: its channels, and what it may pay without asking its person.",
  )
