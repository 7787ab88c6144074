import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ListDeliveriesQuery, ListEventsQuery } from "../../../core/webhooks/deliveries/LogQuery.ts"
import { AccountKey } from "./Access.ts"
import { ANY, BODY, KEYED, ONCE, refusals } from "./Errors.ts"
import { Idempotency } from "./Route.ts"
import { ById, Nothing, page, Timestamp } from "./Wire.ts"

const Event = Schema.Struct({
  id: Schema.String,
  type: Schema.String,
  service_id: Schema.NullOr(Schema.String),
  data: Schema.Record(Schema.String, Schema.Unknown),
  created_at: Timestamp,
}).annotate({
  identifier: "Event",
  description: "Something that happened to the account or to what it takes part in.",
  examples: [
    {
      id: "evt_01997d3e-8a00-7000-8000-000000000007",
      type: "ping",
      service_id: null,
      data: { endpoint_id: "we_01997d3e-8a00-7000-8000-000000000005" },
      created_at: "2026-01-31T08:00:00.000Z",
    },
  ],
})

const Attempt = Schema.Struct({
  attempt: Schema.Int,
  status: Schema.NullOr(Schema.Int).annotate({ description: "Null where nobody answered." }),
  at: Timestamp,
  duration_ms: Schema.Int,
  error: Schema.optionalKey(Schema.String).annotate({ description: "Why nobody answered." }),
  response: Schema.optionalKey(Schema.String).annotate({
    description: "The first KiB of the answer.",
  }),
})

const Delivery = Schema.Struct({
  id: Schema.String,
  endpoint_id: Schema.NullOr(Schema.String).annotate({
    description: "Null where a service's own endpoint is told.",
  }),
  service_id: Schema.NullOr(Schema.String).annotate({
    description: "The service whose own endpoint is told; null for registered endpoints.",
  }),
  event_id: Schema.String,
  event_type: Schema.String,
  url: Schema.String,
  status: Schema.String.annotate({
    description: "pending, delivering, delivered, failed or skipped.",
  }),
  attempts: Schema.Array(Attempt),
  error: Schema.NullOr(Schema.String).annotate({
    description:
      "Why it ended without an answer: webhook_endpoint_disabled, webhook_key_not_found.",
  }),
  next_attempt_at: Schema.NullOr(Timestamp),
  replay_of: Schema.NullOr(Schema.String),
  created_at: Timestamp,
}).annotate({
  identifier: "WebhookDelivery",
  description: "An event on its way to one receiver, with every attempt.",
  examples: [
    {
      id: "wd_01997d3e-8a00-7000-8000-000000000008",
      endpoint_id: "we_01997d3e-8a00-7000-8000-000000000005",
      service_id: null,
      event_id: "evt_01997d3e-8a00-7000-8000-000000000007",
      event_type: "ping",
      url: "https://receiver.example/hooks",
      status: "delivered",
      attempts: [{ attempt: 1, status: 204, at: "2026-01-31T08:00:00.000Z", duration_ms: 31 }],
      error: null,
      next_attempt_at: null,
      replay_of: null,
      created_at: "2026-01-31T08:00:00.000Z",
    },
  ],
})

const again = refusals(ANY, KEYED, BODY, ONCE, ["NOT_FOUND", "INVALID_TRANSITION"])

/** What happened, and who was told (Events; Webhook delivery). */
export const webhookDeliveries = HttpApiGroup.make("webhookDeliveries")
  .add(
    HttpApiEndpoint.get("events", "/v1/events", {
      disableCodecs: true,
      query: ListEventsQuery.fields,
      success: page(Event),
      error: refusals(ANY, KEYED),
    }).annotate(OpenApi.Summary, "List the account's events"),
    HttpApiEndpoint.get("list", "/v1/webhook-deliveries", {
      disableCodecs: true,
      query: ListDeliveriesQuery.fields,
      success: page(Delivery),
      error: refusals(ANY, KEYED),
    }).annotate(OpenApi.Summary, "List deliveries"),
    HttpApiEndpoint.get("get", "/v1/webhook-deliveries/:id", {
      disableCodecs: true,
      params: ById,
      success: Delivery,
      error: refusals(ANY, KEYED, ["NOT_FOUND"]),
    }).annotate(OpenApi.Summary, "Show a delivery"),
    HttpApiEndpoint.post("replay", "/v1/webhook-deliveries/:id/replay", {
      disableCodecs: true,
      params: ById,
      payload: Nothing,
      success: Delivery.pipe(HttpApiSchema.status(201)),
      error: again,
    })
      .annotate(Idempotency, "checked")
      .annotate(OpenApi.Summary, "Deliver an event again"),
    HttpApiEndpoint.post("test", "/v1/webhook-endpoints/:id/test", {
      disableCodecs: true,
      params: ById,
      payload: Nothing,
      success: Delivery.pipe(HttpApiSchema.status(201)),
      error: again,
    })
      .annotate(Idempotency, "checked")
      .annotate(OpenApi.Summary, "Send a ping to an endpoint"),
  )
  .middleware(AccountKey)
  .annotate(OpenApi.Title, "Events and deliveries")
  .annotate(OpenApi.Description, "What happened, and what receivers were told of it.")
