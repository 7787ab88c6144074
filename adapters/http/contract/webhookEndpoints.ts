import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { PageQuery } from "../../../core/shared/Page.ts"
import {
  EndpointChange,
  EndpointInput,
  endpointRules,
} from "../../../core/webhooks/endpoints/EndpointInput.ts"
import { AccountKey } from "./Access.ts"
import { ANY, BODY, KEYED, ONCE, ofFields, refusals } from "./Errors.ts"
import { Idempotency, Rules } from "./Route.ts"
import { ById, Deleted, page, Timestamp } from "./Wire.ts"

const fields = {
  id: Schema.String.annotate({ description: "`we_` and a UUIDv7." }),
  url: Schema.String,
  description: Schema.NullOr(Schema.String),
  enabled_events: Schema.Array(Schema.String),
  status: Schema.Literals(["enabled", "disabled"]).annotate({
    description: "Deliveries to a disabled endpoint are skipped.",
  }),
  disabled_reason: Schema.NullOr(Schema.Literals(["requested", "delivery_failures"])).annotate({
    description: "Why it is disabled: you asked for it, or it failed for five days.",
  }),
  disabled_at: Schema.NullOr(Timestamp),
  encryption: Schema.Struct({
    public_key_fingerprint: Schema.NullOr(Schema.String),
    key_type: Schema.NullOr(Schema.Literal("x25519")),
    enabled: Schema.Boolean,
  }).annotate({
    description:
      "The key that deliveries are encrypted for: the endpoint's own, else the account's newest.",
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
}

const example = {
  id: "we_01997d3e-8a00-7000-8000-000000000004",
  url: "https://weather.example/webhooks",
  description: "Bookkeeping",
  enabled_events: ["payment_intent.succeeded", "payment_intent.failed"],
  status: "enabled",
  disabled_reason: null,
  disabled_at: null,
  encryption: {
    public_key_fingerprint: "fp_9c1ba7bc1d5ae5c1",
    key_type: "x25519",
    enabled: true,
  },
  created_at: "2026-01-31T08:00:00.000Z",
  updated_at: "2026-01-31T08:00:00.000Z",
} as const

const WebhookEndpoint = Schema.Struct(fields).annotate({
  identifier: "WebhookEndpoint",
  description: "A receiver of an account's events.",
  examples: [example],
})

const NewWebhookEndpoint = Schema.Struct({
  ...fields,
  secret: Schema.String.annotate({
    description: "Signs what is sent to the endpoint. Shown this once.",
  }),
}).annotate({
  identifier: "NewWebhookEndpoint",
  description: "The endpoint with its secret.",
  examples: [{ ...example, secret: "whsec_…" }],
})

/** The receivers of the calling account's events (Webhook management). */
export const webhookEndpoints = HttpApiGroup.make("webhookEndpoints")
  .add(
    HttpApiEndpoint.post("create", "/v1/webhook-endpoints", {
      disableCodecs: true,
      payload: EndpointInput.annotate({
        identifier: "WebhookEndpointInput",
        description: "Where to send which events, and for which key to encrypt them.",
        examples: [
          {
            url: "https://weather.example/webhooks",
            description: "Bookkeeping",
            enabled_events: ["payment_intent.succeeded", "payment_intent.failed"],
            encryption: {
              public_key: "hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo=",
              key_type: "x25519",
            },
          },
        ],
      }),
      success: NewWebhookEndpoint.pipe(HttpApiSchema.status(201)),
      error: refusals(ANY, KEYED, BODY, ONCE, ofFields(endpointRules), [
        "WEBHOOK_ENDPOINT_LIMIT_EXCEEDED",
      ]),
    })
      .annotate(Rules, endpointRules)
      .annotate(Idempotency, "checked")
      .annotate(OpenApi.Summary, "Register a webhook endpoint"),
    HttpApiEndpoint.get("list", "/v1/webhook-endpoints", {
      disableCodecs: true,
      query: PageQuery.fields,
      success: page(WebhookEndpoint),
      error: refusals(ANY, KEYED),
    }).annotate(OpenApi.Summary, "List the account's webhook endpoints"),
    HttpApiEndpoint.get("get", "/v1/webhook-endpoints/:id", {
      disableCodecs: true,
      params: ById,
      success: WebhookEndpoint,
      error: refusals(ANY, KEYED, ["NOT_FOUND"]),
    }).annotate(OpenApi.Summary, "Show a webhook endpoint"),
    HttpApiEndpoint.patch("change", "/v1/webhook-endpoints/:id", {
      disableCodecs: true,
      params: ById,
      payload: EndpointChange.annotate({
        identifier: "WebhookEndpointChange",
        description: "What to change; what is left out stays. `encryption: null` removes the key.",
        examples: [{ enabled_events: ["*"], status: "disabled" }],
      }),
      success: WebhookEndpoint,
      error: refusals(ANY, KEYED, BODY, ofFields(endpointRules), ["NOT_FOUND"]),
    })
      .annotate(Rules, endpointRules)
      .annotate(OpenApi.Summary, "Change, disable or enable a webhook endpoint"),
    HttpApiEndpoint.delete("delete", "/v1/webhook-endpoints/:id", {
      disableCodecs: true,
      params: ById,
      success: Deleted,
      error: refusals(ANY, KEYED, ["NOT_FOUND"]),
    }).annotate(OpenApi.Summary, "Delete a webhook endpoint"),
  )
  .middleware(AccountKey)
  .annotate(OpenApi.Title, "Webhook endpoints")
  .annotate(OpenApi.Description, "The receivers of the calling account's events.")
