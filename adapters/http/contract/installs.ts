import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  AgentQuery,
  InstallInput,
  installRules,
  ListInstallsQuery,
} from "../../../core/installs/InstallInput.ts"
import { CAP_PERIODS } from "../../../core/installs/SpendCap.ts"
import { PageQuery } from "../../../core/shared/Page.ts"
import { AccountKey } from "./Access.ts"
import { ANY, BODY, KEYED, ONCE, refusals } from "./Errors.ts"
import { Idempotency, Rules } from "./Route.ts"
import { Amount, ById, Deleted, page, Timestamp } from "./Wire.ts"

const settings = {
  auto_pay_limit: { currency: "USD", value: 500 },
  channel_preference: "wallet_a",
  channels: ["wallet_a"],
  spend_cap: { amount: { currency: "USD", value: 10_000 }, period: "monthly" },
  budget_alerts: [50, 80],
} as const

const Cap = Schema.Struct({ amount: Amount, period: Schema.Literals(CAP_PERIODS) })

const Mandate = Schema.Struct({
  id: Schema.String.annotate({ description: "`mnd_` and a UUIDv7." }),
  status: Schema.Literals(["pending", "active", "revoked"]).annotate({
    description: "`pending` until the person approves it in the wallet.",
  }),
  channel: Schema.String,
  approval_url: Schema.optionalKey(Schema.String).annotate({
    description: "Where the person approves it, while it is pending and the channel says so.",
  }),
})

const Install = Schema.Struct({
  id: Schema.String.annotate({ description: "`ins_` and a UUID." }),
  service_id: Schema.String,
  agent_id: Schema.String,
  auto_pay_limit: Schema.NullOr(Amount).annotate({
    description:
      "One-Time payments and invoices in this currency, up to this value, are paid without asking.",
  }),
  channel_preference: Schema.NullOr(Schema.String),
  channels: Schema.Array(Schema.String),
  spend_cap: Schema.NullOr(Cap),
  budget_alerts: Schema.Array(Schema.Int).annotate({ description: "In percent of the cap." }),
  mandate: Schema.NullOr(Mandate),
  created_at: Timestamp,
  updated_at: Timestamp,
}).annotate({
  identifier: "Install",
  description: "How an agent uses a service.",
  examples: [
    {
      id: "ins_01997d3e-8a00-8000-8000-000000000030",
      service_id: "01997d3e-8a00-7000-8000-000000000010",
      agent_id: "agent_traveller",
      ...settings,
      mandate: {
        id: "mnd_01997d3e-8a00-7000-8000-000000000031",
        status: "active",
        channel: "wallet_a",
      },
      created_at: "2026-01-31T08:00:00.000Z",
      updated_at: "2026-01-31T08:00:00.000Z",
    },
  ],
})

/** How agents use services, and what they may pay without asking (Installs). */
export const installs = HttpApiGroup.make("installs")
  .add(
    HttpApiEndpoint.post("put", "/v1/services/:id/installs", {
      disableCodecs: true,
      params: ById,
      payload: InstallInput.annotate({
        identifier: "InstallInput",
        description: "What is left out stays as it is; null takes it away.",
        examples: [settings],
      }),
      success: Install.pipe(HttpApiSchema.status(201)),
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
      success: page(Install),
      error: refusals(ANY, KEYED),
    }).annotate(OpenApi.Summary, "List the installs of a service by your agents"),
    HttpApiEndpoint.delete("uninstall", "/v1/services/:id/installs", {
      disableCodecs: true,
      params: ById,
      query: AgentQuery.fields,
      success: Deleted,
      error: refusals(ANY, KEYED, ["NOT_FOUND"]),
    }).annotate(OpenApi.Summary, "Remove the install of a service by one of your agents"),
    HttpApiEndpoint.get("list", "/v1/installs", {
      disableCodecs: true,
      query: ListInstallsQuery.fields,
      success: page(Install),
      error: refusals(ANY, KEYED),
    }).annotate(OpenApi.Summary, "List the installs of your agents"),
    HttpApiEndpoint.get("get", "/v1/installs/:id", {
      disableCodecs: true,
      params: ById,
      success: Install,
      error: refusals(ANY, KEYED, ["NOT_FOUND"]),
    }).annotate(OpenApi.Summary, "Get an install"),
    HttpApiEndpoint.delete("delete", "/v1/installs/:id", {
      disableCodecs: true,
      params: ById,
      success: Deleted,
      error: refusals(ANY, KEYED, ["NOT_FOUND"]),
    }).annotate(OpenApi.Summary, "Remove an install, and end its mandate"),
  )
  .middleware(AccountKey)
  .annotate(OpenApi.Title, "Installs")
  .annotate(
    OpenApi.Description,
    "How an agent uses a service: its channels, and what it may pay without asking its person.",
  )
