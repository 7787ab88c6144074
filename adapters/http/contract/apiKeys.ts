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
        "Use it to give an agent its own key, which limits what it may do and spend. To " +
        "replace a key that is in use, roll it.",
      payload: KeyInput.annotate({
        identifier: "KeyInput",
        description: "The key's expiry, if any, and its restrictions.",
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
        "Use it to see which keys work, and their restrictions. The secret keys are shown " +
        "only when they are issued.",
      query: PageQuery.fields,
      success: page(ApiKeyView),
    }),
    account.post("roll", "/v1/api-keys/:id/roll", {
      annotations: Unscoped.context(true),
      summary: "Replace a key",
      description:
        "Use it for a scheduled change: the old key keeps working for " +
        "`grace_period_seconds`. The new key expires when the old one would have. Where keys " +
        "have a lifetime, an account's first key gets it anew when it rolls itself. It can do " +
        "so once, so send an `Idempotency-Key`: it repeats a lost answer while the old key " +
        "works. That key then counts as issued by the new one. Revoke a leaked key instead.",
      payload: RollInput.annotate({
        identifier: "RollInput",
        description: "How long the replaced key keeps working.",
        examples: [{ grace_period_seconds: 3600 }],
      }),
      rules: rollInputRules,
      success: RolledKeyView.pipe(HttpApiSchema.status(201)),
      refusals: ["NOT_FOUND", "PLAN_LIMIT_EXCEEDED"],
    }),
    account.delete("revoke", "/v1/api-keys/:id", {
      annotations: Unscoped.context(true),
      summary: "Revoke a key",
      description:
        "`cascade=true` also revokes the keys that it issued, and in turn the keys that " +
        "those issued; a first key that it replaced counts as one. A restricted key revokes " +
        "itself and the keys that it issued. Use it after a leak: the key stops working at " +
        "once. To change keys without interruption, roll it.",
      query: RevokeQuery.fields,
      success: ApiKeyView,
      refusals: ["NOT_FOUND", "FORBIDDEN"],
    }),
  )
  .middleware(AccountKey)
  .annotate(Audiences, ["seller"])
  .annotate(OpenApi.Title, "API keys")
  .annotate(OpenApi.Description, "The secret keys of the calling account.")
