import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { PageQuery } from "../../../core/shared/Page.ts"
import {
  EndpointChange,
  endpointChangeRules,
  EndpointInput,
  endpointRules,
} from "../../../core/webhooks/endpoints/EndpointInput.ts"
import { Deleted } from "../../../core/shared/Wire.ts"
import { AccountKey } from "./Access.ts"
import { ofFields } from "./Errors.ts"
import { page } from "./Wire.ts"
import { EndpointView, NewEndpointView } from "../../../core/webhooks/endpoints/Endpoint.ts"
import { account } from "./Endpoint.ts"
import { Audiences } from "./Route.ts"

/** The receivers of the calling account's events (Webhook management). */
export const webhookEndpoints = HttpApiGroup.make("webhookEndpoints")
  .add(
    account.post("create", "/v1/webhook-endpoints", {
      summary: "Register a webhook endpoint",
      description:
        "Use it to receive events. Without a receiver of your own, poll `/v1/events` or " +
        "follow a payment's events.",
      payload: EndpointInput.annotate({
        identifier: "WebhookEndpointInput",
        description: "The receiver's URL, its events and the key for encryption.",
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
      rules: endpointRules,
      success: NewEndpointView.pipe(HttpApiSchema.status(201)),
      refusals: [...ofFields(endpointRules), "PLAN_LIMIT_EXCEEDED"],
    }),
    account.get("list", "/v1/webhook-endpoints", {
      mayBeStale: true,
      summary: "List the account's webhook endpoints",
      description: "Use it to see where events are sent, and which endpoints fail.",
      query: PageQuery.fields,
      success: page(EndpointView),
    }),
    account.get("get", "/v1/webhook-endpoints/:id", {
      summary: "Show a webhook endpoint",
      description: "Use it to see whether an endpoint works, and why it was disabled.",
      success: EndpointView,
      refusals: ["NOT_FOUND"],
    }),
    account.patch("change", "/v1/webhook-endpoints/:id", {
      summary: "Change, disable or enable a webhook endpoint",
      description:
        "Use it to change the URL, or to disable or enable an endpoint. Replace its secret " +
        "at `/v1/merchant/webhook-secrets/rotate`.",
      payload: EndpointChange.annotate({
        identifier: "WebhookEndpointChange",
        description:
          "The fields to change. A missing field stays unchanged. `encryption: null` " +
          "removes the key.",
        examples: [{ enabled_events: ["*"], status: "disabled" }],
      }),
      rules: endpointChangeRules,
      success: EndpointView,
      refusals: [...ofFields(endpointChangeRules), "NOT_FOUND"],
    }),
    account.delete("delete", "/v1/webhook-endpoints/:id", {
      summary: "Delete a webhook endpoint",
      description:
        "Use it to remove an endpoint for good: waiting deliveries are not sent. To stop " +
        "only for a while, disable it.",
      success: Deleted,
      refusals: ["NOT_FOUND"],
    }),
  )
  .middleware(AccountKey)
  .annotate(Audiences, ["receiver"])
  .annotate(OpenApi.Title, "Webhook endpoints")
  .annotate(OpenApi.Description, "The receivers of the calling account's events.")
