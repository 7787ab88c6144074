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
import { ApiKeyView, IssuedKeyView } from "../../../core/accounts/ApiKey.ts"
import { SuspendKeyInput, suspendKeyRules } from "../../../core/keys/KeyInput.ts"
import { PageQuery } from "../../../core/shared/Page.ts"
import { AdminKey } from "./Access.ts"
import { ById, page } from "./Wire.ts"
import { operator } from "./Endpoint.ts"
import { Audiences } from "./Route.ts"

const suspendPayload = (description: string) =>
  SuspendKeyInput.annotate({
    identifier: "SuspendKeyInput",
    description,
    examples: [{ cascade: true }],
  })

const KeyOfAccount = { ...ById, key_id: Schema.String.annotate({ description: "The key's id." }) }

/** Accounts, which operators open (Authentication 8). */
export const accounts = HttpApiGroup.make("accounts")
  .add(
    operator.post("create", "/v1/accounts", {
      summary: "Open an account",
      description:
        "Use it once for each seller or buyer. The answer shows the account's first key, " +
        "only once. The account issues further keys itself (`POST /v1/api-keys`).",
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
      mayBeStale: true,
      summary: "List accounts",
      description:
        "For operators who look for an account. If you know the id, use `GET /v1/accounts/{id}`.",
      query: ListAccountsQuery.fields,
      success: page(AccountView),
    }),
    operator.get("get", "/v1/accounts/:id", {
      summary: "Show an account",
      description:
        "Use it to see an account's plan, agent and state. Its keys are at " +
        "`/v1/accounts/{id}/api-keys`.",
      success: AccountView,
      refusals: ["NOT_FOUND"],
    }),
    operator.patch("changePlan", "/v1/accounts/:id", {
      summary: "Change the plan of an account",
      description:
        "Use it to change rates and limits from now on. To block an account completely, " +
        "suspend it.",
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
      description:
        "Every process refuses the account's keys within a second, with " +
        "`ACCOUNT_SUSPENDED`. Use it to block a whole account. If one key has leaked, " +
        "suspend only that key.",
      success: AccountView,
      refusals: ["NOT_FOUND"],
    }),
    operator.post("resume", "/v1/accounts/:id/resume", {
      summary: "Lift the suspension of an account",
      description: "All keys work again, except those that were suspended individually.",
      success: AccountView,
      refusals: ["NOT_FOUND"],
    }),
    operator.get("listKeys", "/v1/accounts/:id/api-keys", {
      mayBeStale: true,
      summary: "List the keys of an account",
      description: "Use it to find a key to suspend. No answer shows the secret keys.",
      query: PageQuery.fields,
      success: page(ApiKeyView),
      refusals: ["NOT_FOUND"],
    }),
    operator.post("issueKey", "/v1/accounts/:id/api-keys", {
      summary: "Issue a key of an account",
      description:
        "Use it if an account has lost its keys, or if they have expired. The answer shows the " +
        "new key, only once. It has no restrictions and no issuer, like the account's first key. " +
        "If a key was stolen, suspend it first: the thief may have issued or rolled others, " +
        "which the account revokes with the new key.",
      success: IssuedKeyView.pipe(HttpApiSchema.status(201)),
      refusals: ["NOT_FOUND", "PLAN_LIMIT_EXCEEDED"],
    }),
    operator.post("suspendKey", "/v1/accounts/:id/api-keys/:key_id/suspend", {
      summary: "Suspend a key of an account",
      description:
        "Use it when one key has leaked. The account's other keys keep working, unless `cascade` " +
        "includes those that this one has issued. To stop all of them, suspend the account.",
      params: KeyOfAccount,
      payload: suspendPayload("Which keys are suspended."),
      rules: suspendKeyRules,
      success: ApiKeyView,
      refusals: ["NOT_FOUND"],
    }),
    operator.post("resumeKey", "/v1/accounts/:id/api-keys/:key_id/resume", {
      summary: "Lift the suspension of a key",
      description:
        "Undoes the suspension of one key, and with `cascade` of those that it has issued. A key " +
        "that its account has revoked stays revoked.",
      params: KeyOfAccount,
      payload: suspendPayload("Which keys are resumed."),
      rules: suspendKeyRules,
      success: ApiKeyView,
      refusals: ["NOT_FOUND"],
    }),
  )
  .middleware(AdminKey)
  .annotate(Audiences, ["operator"])
  .annotate(OpenApi.Title, "Accounts")
  .annotate(
    OpenApi.Description,
    "Sellers and buyers. These requests need the admin key, and the audit log records " +
      "their changes.",
  )
