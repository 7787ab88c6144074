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
        "Use it to set up a receiver; the account's log notes each time. A leaked secret is " +
        "replaced at `/v1/merchant/webhook-secrets/rotate`.",
      success: SecretView,
    }),
    account.post("rotateWebhookSecret", "/v1/merchant/webhook-secrets/rotate", {
      summary: "Replace a webhook secret",
      description: "Use it on schedule, or at once after a leak with a grace period of 0.",
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
      description:
        "Use it where webhook bodies are to be encrypted. An endpoint may have a key of its " +
        "own instead.",
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
      description: "Use it to see which key bodies are encrypted for: the newest.",
      query: PageQuery.fields,
      success: page(WebhookKeyView),
    }),
    account.delete("deleteWebhookKey", "/v1/merchant/webhook-keys/:id", {
      summary: "Delete a key that webhooks are encrypted for",
      description:
        "Use it once no receiver needs the key any more. Bodies are encrypted for the newest " +
        "that is left, or not at all.",
      success: Deleted,
      refusals: ["NOT_FOUND"],
    }),
  )
  .middleware(AccountKey)
  .annotate(Audiences, ["receiver"])
  .annotate(OpenApi.Title, "Merchant")
