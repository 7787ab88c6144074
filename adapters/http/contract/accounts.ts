import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
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
import { ById, page } from "./Wire.ts"
import { operator } from "./Endpoint.ts"

const KeyOfAccount = { ...ById, key_id: Schema.String }

/** Accounts, which the operator opens (Authentication 8). */
export const accounts = HttpApiGroup.make("accounts")
  .add(
    operator.post("create", "/v1/accounts", {
      summary: "Open an account",
      payload: AccountInput.annotate({
        identifier: "AccountInput",
        description: "Who the account is for.",
        examples: [{ name: "Weather Reports Ltd", kind: "seller", agent_id: "agent_weather" }],
      }),
      rules: accountInputRules,
      success: NewAccountView.pipe(HttpApiSchema.status(201)),
      refusals: ["AGENT_ID_TAKEN"],
    }),
    operator.get("list", "/v1/accounts", {
      summary: "List accounts",
      query: ListAccountsQuery.fields,
      success: page(AccountView),
    }),
    operator.get("get", "/v1/accounts/:id", {
      summary: "Show an account",
      success: AccountView,
      refusals: ["NOT_FOUND"],
    }),
    operator.patch("changePlan", "/v1/accounts/:id", {
      summary: "Change the plan of an account",
      payload: PlanInput.annotate({
        identifier: "PlanInput",
        description: "The plan to move to.",
        examples: [{ plan: "pro" }],
      }),
      rules: planInputRules,
      success: AccountView,
      refusals: ["NOT_FOUND"],
    }),
    operator.post("suspend", "/v1/accounts/:id/suspend", {
      summary: "Suspend an account",
      description: "Every process refuses its keys within a second, with `ACCOUNT_SUSPENDED`.",
      success: AccountView,
      refusals: ["NOT_FOUND"],
    }),
    operator.post("resume", "/v1/accounts/:id/resume", {
      summary: "Let a suspended account act again",
      success: AccountView,
      refusals: ["NOT_FOUND"],
    }),
    operator.get("listKeys", "/v1/accounts/:id/api-keys", {
      summary: "List the keys of an account",
      query: PageQuery.fields,
      success: page(ApiKeyView),
      refusals: ["NOT_FOUND"],
    }),
    operator.post("suspendKey", "/v1/accounts/:id/api-keys/:key_id/suspend", {
      summary: "Suspend a key of an account",
      params: KeyOfAccount,
      success: ApiKeyView,
      refusals: ["NOT_FOUND"],
    }),
    operator.post("resumeKey", "/v1/accounts/:id/api-keys/:key_id/resume", {
      summary: "Let a suspended key be used again",
      params: KeyOfAccount,
      success: ApiKeyView,
      refusals: ["NOT_FOUND"],
    }),
  )
  .middleware(AdminKey)
  .annotate(OpenApi.Title, "Accounts")
  .annotate(
    OpenApi.Description,
    "Sellers and buyers. The admin key opens this part; what it changes is in the audit log.",
  )
