import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { PageQuery } from "../../../core/shared/Page.ts"
import {
  EndpointChange,
  EndpointInput,
  endpointRules,
} from "../../../core/webhooks/endpoints/EndpointInput.ts"
import { Deleted } from "../../../core/shared/Wire.ts"
import { AccountKey } from "./Access.ts"
import { ANY, CHANGE, BODY, KEYED, ONCE, ofFields, refusals } from "./Errors.ts"
import { Idempotency, Rules } from "./Route.ts"
import { ById, page } from "./Wire.ts"
import { EndpointView, NewEndpointView } from "../../../core/webhooks/endpoints/Endpoint.ts"

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
      success: NewEndpointView.pipe(HttpApiSchema.status(201)),
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
      success: page(EndpointView),
      error: refusals(ANY, KEYED),
    }).annotate(OpenApi.Summary, "List the account's webhook endpoints"),
    HttpApiEndpoint.get("get", "/v1/webhook-endpoints/:id", {
      disableCodecs: true,
      params: ById,
      success: EndpointView,
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
      success: EndpointView,
      error: refusals(ANY, KEYED, BODY, ofFields(endpointRules), ["NOT_FOUND"]),
    })
      .annotate(Rules, endpointRules)
      .annotate(OpenApi.Summary, "Change, disable or enable a webhook endpoint"),
    HttpApiEndpoint.delete("delete", "/v1/webhook-endpoints/:id", {
      disableCodecs: true,
      params: ById,
      success: Deleted,
      error: refusals(ANY, CHANGE, KEYED, ["NOT_FOUND"]),
    }).annotate(OpenApi.Summary, "Delete a webhook endpoint"),
  )
  .middleware(AccountKey)
  .annotate(OpenApi.Title, "Webhook endpoints")
  .annotate(OpenApi.Description, "The receivers of the calling account's events.")
