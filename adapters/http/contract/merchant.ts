import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AccountKey } from "./Access.ts"
import { ANY, KEYED, refusals } from "./Errors.ts"

const WebhookSecret = Schema.Struct({
  secret: Schema.String.annotate({ description: "Signs the webhooks of the account." }),
}).annotate({
  identifier: "WebhookSecret",
  description: "What receivers check webhook signatures with.",
  examples: [{ secret: "whsec_…" }],
})

/** What receivers of the account's webhooks need (Authentication 4). */
export const merchant = HttpApiGroup.make("merchant")
  .add(
    HttpApiEndpoint.get("showWebhookSecret", "/v1/merchant/webhook-secret", {
      disableCodecs: true,
      success: WebhookSecret,
      error: refusals(ANY, KEYED),
    }).annotate(OpenApi.Summary, "Show the webhook secret"),
  )
  .middleware(AccountKey)
  .annotate(OpenApi.Title, "Merchant")
