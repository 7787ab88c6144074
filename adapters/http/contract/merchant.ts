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
import { Audiences, Group } from "./Route.ts"

/** What receivers of the account's webhooks need (Authentication 4). */
export const merchant = HttpApiGroup.make("merchant")
  .add(
    account.get("showWebhookSecret", "/v1/merchant/webhook-secret", {
      annotations: Group.context("manage"),
      summary: "Show the webhook secret",
      description:
        "Use it to set up a receiver. The account's log records each use. Replace a leaked " +
        "secret at `/v1/merchant/webhook-secrets/rotate`.",
      success: SecretView,
      refusals: ["NOT_FOUND"],
    }),
    account.post("rotateWebhookSecret", "/v1/merchant/webhook-secrets/rotate", {
      summary: "Replace a webhook secret",
      description: "Use it on a schedule, or immediately after a leak with a grace period of 0.",
      payload: RotationInput.annotate({
        identifier: "RotationInput",
        description: "The secret to replace, the reason, and how long the old secret still signs.",
        examples: [{ reason: "Scheduled rotation", grace_period_seconds: 86_400 }],
      }),
      rules: rotationRules,
      success: RotatedSecretView,
      refusals: ["NOT_FOUND"],
    }),
    account.post("addWebhookKey", "/v1/merchant/webhook-keys", {
      summary: "Register a key for webhook encryption",
      description:
        "Use it to receive encrypted webhook bodies. An endpoint can have its own key instead.",
      payload: WebhookKeyInput.annotate({
        identifier: "WebhookKeyInput",
        description: "The X25519 public key that encrypts webhooks from now on.",
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
      summary: "List the keys for webhook encryption",
      description: "Use it to see the keys. The newest one encrypts webhook bodies.",
      query: PageQuery.fields,
      success: page(WebhookKeyView),
    }),
    account.delete("deleteWebhookKey", "/v1/merchant/webhook-keys/:id", {
      summary: "Delete a key for webhook encryption",
      description:
        "Use it when no receiver needs the key any more. The newest remaining key then " +
        "encrypts bodies. Without any key they are not encrypted.",
      success: Deleted,
      refusals: ["NOT_FOUND"],
    }),
  )
  .middleware(AccountKey)
  .annotate(Audiences, ["receiver"])
  .annotate(OpenApi.Title, "Merchant")
