import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  KeyInput,
  keyInputRules,
  RevokeQuery,
  RollInput,
  rollInputRules,
} from "../../../core/keys/KeyInput.ts"
import { PageQuery } from "../../../core/shared/Page.ts"
import { AccountKey } from "./Access.ts"
import { ANY, CHANGE, BODY, KEYED, ONCE, refusals } from "./Errors.ts"
import { Idempotency, Rules } from "./Route.ts"
import { ById, page } from "./Wire.ts"
import { ApiKeyView, IssuedKeyView, RolledKeyView } from "../../../core/accounts/ApiKey.ts"

/** The keys of the calling account (Authentication 1 and 8). */
export const apiKeys = HttpApiGroup.make("apiKeys")
  .add(
    HttpApiEndpoint.post("issue", "/v1/api-keys", {
      disableCodecs: true,
      payload: KeyInput.annotate({
        identifier: "KeyInput",
        description: "When the key stops working, if ever, and what it is restricted to.",
        examples: [{ expires_at: "2030-01-31T08:00:00Z" }],
      }),
      success: IssuedKeyView.pipe(HttpApiSchema.status(201)),
      error: refusals(ANY, KEYED, BODY, ONCE),
    })
      .annotate(Rules, keyInputRules)
      .annotate(Idempotency, "checked")
      .annotate(OpenApi.Summary, "Issue a key"),
    HttpApiEndpoint.get("list", "/v1/api-keys", {
      disableCodecs: true,
      query: PageQuery.fields,
      success: page(ApiKeyView),
      error: refusals(ANY, KEYED),
    }).annotate(OpenApi.Summary, "List the account's keys"),
    HttpApiEndpoint.post("roll", "/v1/api-keys/:id/roll", {
      disableCodecs: true,
      params: ById,
      payload: RollInput.annotate({
        identifier: "RollInput",
        description: "How long the replaced key works on.",
        examples: [{ grace_period_seconds: 3600 }],
      }),
      success: RolledKeyView.pipe(HttpApiSchema.status(201)),
      error: refusals(ANY, KEYED, BODY, ONCE, ["NOT_FOUND"]),
    })
      .annotate(Rules, rollInputRules)
      .annotate(Idempotency, "checked")
      .annotate(OpenApi.Summary, "Replace a key"),
    HttpApiEndpoint.delete("revoke", "/v1/api-keys/:id", {
      disableCodecs: true,
      params: ById,
      query: RevokeQuery.fields,
      success: ApiKeyView,
      error: refusals(ANY, CHANGE, KEYED, ["NOT_FOUND"]),
    })
      .annotate(OpenApi.Summary, "Revoke a key")
      .annotate(
        OpenApi.Description,
        "`cascade=true` also ends the keys that it has issued, and those that these have.",
      ),
  )
  .middleware(AccountKey)
  .annotate(OpenApi.Title, "API keys")
  .annotate(OpenApi.Description, "The secret keys of the calling account.")
