import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  KeyInput,
  keyInputRules,
  RevokeQuery,
  RollInput,
  rollInputRules,
} from "../../../core/keys/KeyInput.ts"
import { PageQuery } from "../../../core/shared/Page.ts"
import { AccountKey } from "./Access.ts"
import { page } from "./Wire.ts"
import { ApiKeyView, IssuedKeyView, RolledKeyView } from "../../../core/accounts/ApiKey.ts"
import { account } from "./Endpoint.ts"
import { Audiences, Unscoped } from "./Route.ts"

/** The keys of the calling account (Authentication 1 and 8). */
export const apiKeys = HttpApiGroup.make("apiKeys")
  .add(
    account.post("issue", "/v1/api-keys", {
      annotations: Unscoped.context(true),
      summary: "Issue a key",
      description:
        "Use it to give an agent a key of its own, restricted in what it may do and spend. To " +
        "replace a key that is in use, roll it.",
      payload: KeyInput.annotate({
        identifier: "KeyInput",
        description: "When the key stops working, if ever, and what it is restricted to.",
        examples: [{ expires_at: "2030-01-31T08:00:00Z" }],
      }),
      rules: keyInputRules,
      success: IssuedKeyView.pipe(HttpApiSchema.status(201)),
      refusals: ["PLAN_LIMIT_EXCEEDED"],
    }),
    account.get("list", "/v1/api-keys", {
      mayBeStale: true,
      summary: "List the account's keys",
      description:
        "Use it to see which keys work, and what they are restricted to. The keys themselves " +
        "are shown only when they are issued.",
      query: PageQuery.fields,
      success: page(ApiKeyView),
    }),
    account.post("roll", "/v1/api-keys/:id/roll", {
      annotations: Unscoped.context(true),
      summary: "Replace a key",
      description:
        "Use it for a scheduled change: the old key works on for `grace_period_seconds`. A " +
        "key that has leaked is revoked instead.",
      payload: RollInput.annotate({
        identifier: "RollInput",
        description: "How long the replaced key works on.",
        examples: [{ grace_period_seconds: 3600 }],
      }),
      rules: rollInputRules,
      success: RolledKeyView.pipe(HttpApiSchema.status(201)),
      refusals: ["NOT_FOUND", "PLAN_LIMIT_EXCEEDED"],
    }),
    account.delete("revoke", "/v1/api-keys/:id", {
      summary: "Revoke a key",
      description:
        "`cascade=true` also ends the keys that it has issued, and those that these have. Use " +
        "it after a leak: it ends at once. To change keys without a pause, roll it.",
      query: RevokeQuery.fields,
      success: ApiKeyView,
      refusals: ["NOT_FOUND"],
    }),
  )
  .middleware(AccountKey)
  .annotate(Audiences, ["seller"])
  .annotate(OpenApi.Title, "API keys")
  .annotate(OpenApi.Description, "The secret keys of the calling account.")
