import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  KeyInput,
  keyInputRules,
  RollInput,
  rollInputRules,
} from "../../../core/accounts/KeyInput.ts"
import { PageQuery } from "../../../core/shared/Page.ts"
import { AccountKey } from "./Access.ts"
import { IssuedKey } from "./accounts.ts"
import { ANY, BODY, KEYED, ONCE, refusals } from "./Errors.ts"
import { Idempotency, Rules } from "./Route.ts"
import { ById, page, Timestamp } from "./Wire.ts"

const ApiKey = Schema.Struct({
  id: Schema.String,
  hint: Schema.String.annotate({ description: "The first characters of the key." }),
  created_at: Timestamp,
  expires_at: Schema.NullOr(Timestamp),
  revoked_at: Schema.NullOr(Timestamp),
}).annotate({
  identifier: "ApiKey",
  description: "A key without its secret.",
  examples: [
    {
      id: "key_01997d3e-8a00-7000-8000-000000000002",
      hint: "sk_test_9fKq",
      created_at: "2026-01-31T08:00:00.000Z",
      expires_at: null,
      revoked_at: null,
    },
  ],
})

const RolledKey = Schema.Struct({
  ...IssuedKey.fields,
  replaces: Schema.Struct({ id: Schema.String, expires_at: Timestamp }).annotate({
    description: "The replaced key and when it stops working.",
  }),
}).annotate({
  identifier: "RolledKey",
  description: "The new key, and what becomes of the old one.",
  examples: [
    {
      id: "key_01997d3e-8a00-7000-8000-000000000003",
      key: "sk_test_…",
      created_at: "2026-01-31T08:00:00.000Z",
      expires_at: null,
      replaces: {
        id: "key_01997d3e-8a00-7000-8000-000000000002",
        expires_at: "2026-02-01T08:00:00.000Z",
      },
    },
  ],
})

/** The keys of the calling account (Authentication 1 and 8). */
export const apiKeys = HttpApiGroup.make("apiKeys")
  .add(
    HttpApiEndpoint.post("issue", "/v1/api-keys", {
      disableCodecs: true,
      payload: KeyInput.annotate({
        identifier: "KeyInput",
        description: "When the key stops working, if ever.",
        examples: [{ expires_at: "2030-01-31T08:00:00Z" }],
      }),
      success: IssuedKey.pipe(HttpApiSchema.status(201)),
      error: refusals(ANY, KEYED, BODY, ONCE),
    })
      .annotate(Rules, keyInputRules)
      .annotate(Idempotency, "checked")
      .annotate(OpenApi.Summary, "Issue a key"),
    HttpApiEndpoint.get("list", "/v1/api-keys", {
      disableCodecs: true,
      query: PageQuery.fields,
      success: page(ApiKey),
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
      success: RolledKey.pipe(HttpApiSchema.status(201)),
      error: refusals(ANY, KEYED, BODY, ONCE, ["NOT_FOUND"]),
    })
      .annotate(Rules, rollInputRules)
      .annotate(Idempotency, "checked")
      .annotate(OpenApi.Summary, "Replace a key"),
    HttpApiEndpoint.delete("revoke", "/v1/api-keys/:id", {
      disableCodecs: true,
      params: ById,
      success: ApiKey,
      error: refusals(ANY, KEYED, ["NOT_FOUND"]),
    }).annotate(OpenApi.Summary, "Revoke a key"),
  )
  .middleware(AccountKey)
  .annotate(OpenApi.Title, "API keys")
  .annotate(OpenApi.Description, "The secret keys of the calling account.")
