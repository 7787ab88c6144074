import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { PageQuery } from "../../../core/shared/Page.ts"
import { RotationInput, rotationRules } from "../../../core/webhooks/keys/RotationInput.ts"
import {
  WebhookKeyInput,
  webhookKeyRules,
} from "../../../core/webhooks/endpoints/WebhookKeyInput.ts"
import { Deleted } from "../../../core/shared/Wire.ts"
import { AccountKey } from "./Access.ts"
import { ofFields } from "./Errors.ts"
import { page } from "./Wire.ts"
import { RotatedSecretView, SecretView } from "../../../core/accounts/SigningSecret.ts"
import { WebhookKeyView } from "../../../core/webhooks/keys/WebhookKey.ts"
import { account } from "./Endpoint.ts"
import { Group } from "./Route.ts"

/** What receivers of the account's webhooks need (Authentication 4). */
export const merchant = HttpApiGroup.make("merchant")
  .add(
    account.get("showWebhookSecret", "/v1/merchant/webhook-secret", {
      annotations: Group.context("manage"),
      summary: "Show the webhook secret",
      success: SecretView,
    }),
    account.post("rotateWebhookSecret", "/v1/merchant/webhook-secrets/rotate", {
      summary: "Replace a webhook secret",
      payload: RotationInput.annotate({
        identifier: "RotationInput",
        description: "Which secret to replace, why, and how long the old one signs on.",
        examples: [{ reason: "Scheduled rotation", grace_period_seconds: 86_400 }],
      }),
      rules: rotationRules,
      success: RotatedSecretView,
      refusals: ["NOT_FOUND"],
    }),
    account.post("addWebhookKey", "/v1/merchant/webhook-keys", {
      summary: "Register a key to encrypt webhooks for",
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
      rules: webhookKeyRules,
      success: WebhookKeyView.pipe(HttpApiSchema.status(201)),
      refusals: [...ofFields(webhookKeyRules), "PLAN_LIMIT_EXCEEDED"],
    }),
    account.get("listWebhookKeys", "/v1/merchant/webhook-keys", {
      summary: "List the keys that webhooks are encrypted for",
      query: PageQuery.fields,
      success: page(WebhookKeyView),
    }),
    account.delete("deleteWebhookKey", "/v1/merchant/webhook-keys/:id", {
      summary: "Delete a key that webhooks are encrypted for",
      success: Deleted,
      refusals: ["NOT_FOUND"],
    }),
  )
  .middleware(AccountKey)
  .annotate(OpenApi.Title, "Merchant")
