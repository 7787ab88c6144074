import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { PageQuery } from "../../../core/shared/Page.ts"
import { RotationInput, rotationRules } from "../../../core/webhooks/keys/RotationInput.ts"
import {
  WebhookKeyInput,
  webhookKeyRules,
} from "../../../core/webhooks/endpoints/WebhookKeyInput.ts"
import { AccountKey } from "./Access.ts"
import { ANY, BODY, KEYED, ONCE, ofFields, refusals } from "./Errors.ts"
import { Idempotency, Rules } from "./Route.ts"
import { ById, Deleted, page, Timestamp } from "./Wire.ts"

const WebhookSecret = Schema.Struct({
  secret: Schema.String.annotate({ description: "Signs the webhooks of the account." }),
}).annotate({
  identifier: "WebhookSecret",
  description: "What receivers check webhook signatures with.",
  examples: [{ secret: "whsec_…" }],
})

const RotatedSecret = Schema.Struct({
  endpoint_id: Schema.NullOr(Schema.String).annotate({
    description: "The endpoint whose secret was replaced; null for the account's.",
  }),
  old_key_fingerprint: Schema.String,
  new_key_fingerprint: Schema.String,
  old_key_expires_at: Schema.String.annotate({
    description: "Until then both secrets sign.",
    format: "date-time",
  }),
  secret: Schema.String.annotate({ description: "The new secret." }),
  created_at: Timestamp,
}).annotate({
  identifier: "RotatedSecret",
  description: "The new secret, and what becomes of the old one.",
  examples: [
    {
      endpoint_id: null,
      old_key_fingerprint: "fp_3b6f1c0d9a2e4875",
      new_key_fingerprint: "fp_a07c52e1f84b9d36",
      old_key_expires_at: "2026-02-01T08:00:00.000Z",
      secret: "whsec_…",
      created_at: "2026-01-31T08:00:00.000Z",
    },
  ],
})

const WebhookKey = Schema.Struct({
  id: Schema.String.annotate({ description: "`whk_` and a UUIDv7." }),
  key_type: Schema.Literal("x25519"),
  fingerprint: Schema.String.annotate({
    description: "`fp_` and the first 16 hex digits of the SHA-256 of the key's 32 bytes.",
  }),
  label: Schema.NullOr(Schema.String),
  created_at: Timestamp,
}).annotate({
  identifier: "WebhookKey",
  description: "A public key that webhooks are encrypted for.",
  examples: [
    {
      id: "whk_01997d3e-8a00-7000-8000-000000000005",
      key_type: "x25519",
      fingerprint: "fp_9c1ba7bc1d5ae5c1",
      label: "2026",
      created_at: "2026-01-31T08:00:00.000Z",
    },
  ],
})

/** What receivers of the account's webhooks need (Authentication 4). */
export const merchant = HttpApiGroup.make("merchant")
  .add(
    HttpApiEndpoint.get("showWebhookSecret", "/v1/merchant/webhook-secret", {
      disableCodecs: true,
      success: WebhookSecret,
      error: refusals(ANY, KEYED),
    }).annotate(OpenApi.Summary, "Show the webhook secret"),
    HttpApiEndpoint.post("rotateWebhookSecret", "/v1/merchant/webhook-secrets/rotate", {
      disableCodecs: true,
      payload: RotationInput.annotate({
        identifier: "RotationInput",
        description: "Which secret to replace, why, and how long the old one signs on.",
        examples: [{ reason: "Scheduled rotation", grace_period_seconds: 86_400 }],
      }),
      success: RotatedSecret,
      error: refusals(ANY, KEYED, BODY, ONCE, ["NOT_FOUND"]),
    })
      .annotate(Rules, rotationRules)
      .annotate(Idempotency, "checked")
      .annotate(OpenApi.Summary, "Replace a webhook secret"),
    HttpApiEndpoint.post("addWebhookKey", "/v1/merchant/webhook-keys", {
      disableCodecs: true,
      payload: WebhookKeyInput.annotate({
        identifier: "WebhookKeyInput",
        description: "An X25519 public key, which webhooks are encrypted for from now on.",
        examples: [
          {
            public_key: "hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo=",
            key_type: "x25519",
            label: "2026",
          },
        ],
      }),
      success: WebhookKey.pipe(HttpApiSchema.status(201)),
      error: refusals(ANY, KEYED, BODY, ONCE, ofFields(webhookKeyRules), [
        "WEBHOOK_KEY_LIMIT_EXCEEDED",
      ]),
    })
      .annotate(Rules, webhookKeyRules)
      .annotate(Idempotency, "checked")
      .annotate(OpenApi.Summary, "Register a key to encrypt webhooks for"),
    HttpApiEndpoint.get("listWebhookKeys", "/v1/merchant/webhook-keys", {
      disableCodecs: true,
      query: PageQuery.fields,
      success: page(WebhookKey),
      error: refusals(ANY, KEYED),
    }).annotate(OpenApi.Summary, "List the keys that webhooks are encrypted for"),
    HttpApiEndpoint.delete("deleteWebhookKey", "/v1/merchant/webhook-keys/:id", {
      disableCodecs: true,
      params: ById,
      success: Deleted,
      error: refusals(ANY, KEYED, ["NOT_FOUND"]),
    }).annotate(OpenApi.Summary, "Delete a key that webhooks are encrypted for"),
  )
  .middleware(AccountKey)
  .annotate(OpenApi.Title, "Merchant")
