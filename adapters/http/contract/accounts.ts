import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ACCOUNT_KINDS, PLANS } from "../../../core/accounts/Account.ts"
import {
  AccountInput,
  accountInputRules,
  PlanInput,
  planInputRules,
} from "../../../core/accounts/AccountInput.ts"
import { ListAccountsQuery } from "../../../core/accounts/AccountQuery.ts"
import { AdminKey } from "./Access.ts"
import { ANY, BODY, KEYED, ONCE, refusals } from "./Errors.ts"
import { Idempotency, Rules } from "./Route.ts"
import { ById, page, Timestamp } from "./Wire.ts"

const fields = {
  id: Schema.String.annotate({ description: "`acct_` and a UUIDv7." }),
  name: Schema.String,
  kind: Schema.Literals(ACCOUNT_KINDS),
  agent_id: Schema.String.annotate({ description: "The agent that the account acts as." }),
  merchant_account: Schema.NullOr(Schema.String),
  plan: Schema.Literals(PLANS),
  created_at: Timestamp,
}

const example = {
  id: "acct_01997d3e-8a00-7000-8000-000000000001",
  name: "Weather Reports Ltd",
  kind: "seller",
  agent_id: "agent_weather",
  merchant_account: "merchant_42",
  plan: "starter",
  created_at: "2026-01-31T08:00:00.000Z",
} as const

const Account = Schema.Struct(fields).annotate({
  identifier: "Account",
  description: "A seller or a buyer, and the agent that it acts as.",
  examples: [example],
})

const key = {
  id: "key_01997d3e-8a00-7000-8000-000000000002",
  key: "sk_test_…",
  created_at: "2026-01-31T08:00:00.000Z",
  expires_at: null,
}

/** A key as the one answer shows it that issues it. */
export const IssuedKey = Schema.Struct({
  id: Schema.String.annotate({ description: "`key_` and a UUIDv7." }),
  key: Schema.String.annotate({ description: "The secret key, shown this once." }),
  created_at: Timestamp,
  expires_at: Schema.NullOr(Timestamp),
}).annotate({ identifier: "IssuedKey", description: "A new secret key.", examples: [key] })

const NewAccount = Schema.Struct({ ...fields, api_key: IssuedKey }).annotate({
  identifier: "NewAccount",
  description: "The account with its first key.",
  examples: [{ ...example, api_key: key }],
})

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
      success: NewAccount.pipe(HttpApiSchema.status(201)),
      error: refusals(ANY, KEYED, BODY, ONCE, ["AGENT_ID_TAKEN"]),
    })
      .annotate(Rules, accountInputRules)
      .annotate(Idempotency, "checked")
      .annotate(OpenApi.Summary, "Open an account"),
    HttpApiEndpoint.get("list", "/v1/accounts", {
      disableCodecs: true,
      query: ListAccountsQuery.fields,
      success: page(Account),
      error: refusals(ANY, KEYED),
    }).annotate(OpenApi.Summary, "List accounts"),
    HttpApiEndpoint.get("get", "/v1/accounts/:id", {
      disableCodecs: true,
      params: ById,
      success: Account,
      error: refusals(ANY, KEYED, ["NOT_FOUND"]),
    }).annotate(OpenApi.Summary, "Show an account"),
    HttpApiEndpoint.patch("changePlan", "/v1/accounts/:id", {
      disableCodecs: true,
      params: ById,
      payload: PlanInput.annotate({
        identifier: "PlanInput",
        description: "The plan to move to.",
        examples: [{ plan: "pro" }],
      }),
      success: Account,
      error: refusals(ANY, KEYED, BODY, ["NOT_FOUND"]),
    })
      .annotate(Rules, planInputRules)
      .annotate(OpenApi.Summary, "Change the plan of an account"),
  )
  .middleware(AdminKey)
  .annotate(OpenApi.Title, "Accounts")
  .annotate(
    OpenApi.Description,
    "Sellers and buyers. The admin key opens this part; what it changes is in the audit log.",
  )
