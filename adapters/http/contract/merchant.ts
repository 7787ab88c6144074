import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { PageQuery } from "../../../core/shared/Page.ts"
import { RotationInput, rotationRules } from "../../../core/webhooks/keys/RotationInput.ts"
import {
  WebhookKeyInput,
  webhookKeyRules,
} from "../../../core/webhooks/endpoints/WebhookKeyInput.ts"
import { Deleted } from "../../../core/shared/Wire.ts"
import { AccountKey } from "./Access.ts"
import { ANY, CHANGE, BODY, KEYED, ONCE, ofFields, refusals } from "./Errors.ts"
import { Idempotency, Rules } from "./Route.ts"
import { ById, page } from "./Wire.ts"
import { RotatedSecretView, SecretView } from "../../../core/accounts/SigningSecret.ts"
import { WebhookKeyView } from "../../../core/webhooks/keys/WebhookKey.ts"

/** What receivers of the account's webhooks need (Authentication 4). */
export const merchant = HttpApiGroup.make("merchant")
  .add(
    HttpApiEndpoint.get("showWebhookSecret", "/v1/merchant/webhook-secret", {
      disableCodecs: true,
      success: SecretView,
      error: refusals(ANY, KEYED),
    }).annotate(OpenApi.Summary, "Show the webhook secret"),
    HttpApiEndpoint.post("rotateWebhookSecret", "/v1/merchant/webhook-secrets/rotate", {
      disableCodecs: true,
      payload: RotationInput.annotate({
        identifier: "RotationInput",
        description: "Which secret to replace, why, and how long the old one signs on.",
        examples: [{ reason: "Scheduled rotation", grace_period_seconds: 86_400 }],
      }),
      success: RotatedSecretView,
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
      success: WebhookKeyView.pipe(HttpApiSchema.status(201)),
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
      success: page(WebhookKeyView),
      error: refusals(ANY, KEYED),
    }).annotate(OpenApi.Summary, "List the keys that webhooks are encrypted for"),
    HttpApiEndpoint.delete("deleteWebhookKey", "/v1/merchant/webhook-keys/:id", {
      disableCodecs: true,
      params: ById,
      success: Deleted,
      error: refusals(ANY, CHANGE, KEYED, ["NOT_FOUND"]),
    }).annotate(OpenApi.Summary, "Delete a key that webhooks are encrypted for"),
  )
  .middleware(AccountKey)
  .annotate(OpenApi.Title, "Merchant")
