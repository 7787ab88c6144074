import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AccountView, NewAccountView } from "../../../core/accounts/Account.ts"
import {
  AccountInput,
  accountInputRules,
  PlanInput,
  planInputRules,
} from "../../../core/accounts/AccountInput.ts"
import { ListAccountsQuery } from "../../../core/accounts/AccountQuery.ts"
import { ApiKeyView } from "../../../core/accounts/ApiKey.ts"
import { PageQuery } from "../../../core/shared/Page.ts"
import { AdminKey } from "./Access.ts"
import { ANY, BODY, OPERATED, ONCE, refusals } from "./Errors.ts"
import { Idempotency, Rules } from "./Route.ts"
import { ById, page } from "./Wire.ts"

const KeyOfAccount = { ...ById, key_id: Schema.String }

/** Accounts, which the operator opens (Authentication 8). */
export const accounts = HttpApiGroup.make("accounts")
  .add(
    HttpApiEndpoint.post("create", "/v1/accounts", {
      disableCodecs: true,
      payload: AccountInput.annotate({
        identifier: "AccountInput",
        description: "Who the account is for.",
        examples: [{ name: "Weather Reports Ltd", kind: "seller", agent_id: "agent_weather" }],
      }),
      success: NewAccountView.pipe(HttpApiSchema.status(201)),
      error: refusals(ANY, OPERATED, BODY, ONCE, ["AGENT_ID_TAKEN"]),
    })
      .annotate(Rules, accountInputRules)
      .annotate(Idempotency, "checked")
      .annotate(OpenApi.Summary, "Open an account"),
    HttpApiEndpoint.get("list", "/v1/accounts", {
      disableCodecs: true,
      query: ListAccountsQuery.fields,
      success: page(AccountView),
      error: refusals(ANY, OPERATED),
    }).annotate(OpenApi.Summary, "List accounts"),
    HttpApiEndpoint.get("get", "/v1/accounts/:id", {
      disableCodecs: true,
      params: ById,
      success: AccountView,
      error: refusals(ANY, OPERATED, ["NOT_FOUND"]),
    }).annotate(OpenApi.Summary, "Show an account"),
    HttpApiEndpoint.patch("changePlan", "/v1/accounts/:id", {
      disableCodecs: true,
      params: ById,
      payload: PlanInput.annotate({
        identifier: "PlanInput",
        description: "The plan to move to.",
        examples: [{ plan: "pro" }],
      }),
      success: AccountView,
      error: refusals(ANY, OPERATED, BODY, ["NOT_FOUND"]),
    })
      .annotate(Rules, planInputRules)
      .annotate(OpenApi.Summary, "Change the plan of an account"),
    HttpApiEndpoint.post("suspend", "/v1/accounts/:id/suspend", {
      disableCodecs: true,
      params: ById,
      success: AccountView,
      error: refusals(ANY, OPERATED, ONCE, ["NOT_FOUND"]),
    })
      .annotate(Idempotency, "checked")
      .annotate(OpenApi.Summary, "Suspend an account")
      .annotate(
        OpenApi.Description,
        "Every process refuses its keys within a second, with `ACCOUNT_SUSPENDED`.",
      ),
    HttpApiEndpoint.post("resume", "/v1/accounts/:id/resume", {
      disableCodecs: true,
      params: ById,
      success: AccountView,
      error: refusals(ANY, OPERATED, ONCE, ["NOT_FOUND"]),
    })
      .annotate(Idempotency, "checked")
      .annotate(OpenApi.Summary, "Let a suspended account act again"),
    HttpApiEndpoint.get("listKeys", "/v1/accounts/:id/api-keys", {
      disableCodecs: true,
      params: ById,
      query: PageQuery.fields,
      success: page(ApiKeyView),
      error: refusals(ANY, OPERATED, ["NOT_FOUND"]),
    }).annotate(OpenApi.Summary, "List the keys of an account"),
    HttpApiEndpoint.post("suspendKey", "/v1/accounts/:id/api-keys/:key_id/suspend", {
      disableCodecs: true,
      params: KeyOfAccount,
      success: ApiKeyView,
      error: refusals(ANY, OPERATED, ONCE, ["NOT_FOUND"]),
    })
      .annotate(Idempotency, "checked")
      .annotate(OpenApi.Summary, "Suspend a key of an account"),
    HttpApiEndpoint.post("resumeKey", "/v1/accounts/:id/api-keys/:key_id/resume", {
      disableCodecs: true,
      params: KeyOfAccount,
      success: ApiKeyView,
      error: refusals(ANY, OPERATED, ONCE, ["NOT_FOUND"]),
    })
      .annotate(Idempotency, "checked")
      .annotate(OpenApi.Summary, "Let a suspended key be used again"),
  )
  .middleware(AdminKey)
  .annotate(OpenApi.Title, "Accounts")
  .annotate(
    OpenApi.Description,
    "Sellers and buyers. The admin key opens this part; what it changes is in the audit log.",
  )
