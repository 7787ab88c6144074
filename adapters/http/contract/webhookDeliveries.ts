import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ListDeliveriesQuery, ListEventsQuery } from "../../../core/webhooks/deliveries/LogQuery.ts"
import { AccountKey } from "./Access.ts"
import { ANY, BODY, KEYED, ONCE, refusals } from "./Errors.ts"
import { Idempotency } from "./Route.ts"
import { ById, Nothing, page } from "./Wire.ts"
import { DeliveryView } from "../../../core/webhooks/deliveries/Delivery.ts"
import { EventView } from "../../../core/webhooks/events/Event.ts"

const again = refusals(ANY, KEYED, BODY, ONCE, ["NOT_FOUND", "INVALID_TRANSITION"])

/** What happened, and who was told (Events; Webhook delivery). */
export const webhookDeliveries = HttpApiGroup.make("webhookDeliveries")
  .add(
    HttpApiEndpoint.get("events", "/v1/events", {
      disableCodecs: true,
      query: ListEventsQuery.fields,
      success: page(EventView),
      error: refusals(ANY, KEYED),
    }).annotate(OpenApi.Summary, "List the account's events"),
    HttpApiEndpoint.get("list", "/v1/webhook-deliveries", {
      disableCodecs: true,
      query: ListDeliveriesQuery.fields,
      success: page(DeliveryView),
      error: refusals(ANY, KEYED),
    }).annotate(OpenApi.Summary, "List deliveries"),
    HttpApiEndpoint.get("get", "/v1/webhook-deliveries/:id", {
      disableCodecs: true,
      params: ById,
      success: DeliveryView,
      error: refusals(ANY, KEYED, ["NOT_FOUND"]),
    }).annotate(OpenApi.Summary, "Show a delivery"),
    HttpApiEndpoint.post("replay", "/v1/webhook-deliveries/:id/replay", {
      disableCodecs: true,
      params: ById,
      payload: Nothing,
      success: DeliveryView.pipe(HttpApiSchema.status(201)),
      error: again,
    })
      .annotate(Idempotency, "checked")
      .annotate(OpenApi.Summary, "Deliver an event again"),
    HttpApiEndpoint.post("test", "/v1/webhook-endpoints/:id/test", {
      disableCodecs: true,
      params: ById,
      payload: Nothing,
      success: DeliveryView.pipe(HttpApiSchema.status(201)),
      error: again,
    })
      .annotate(Idempotency, "checked")
      .annotate(OpenApi.Summary, "Send a ping to an endpoint"),
  )
  .middleware(AccountKey)
  .annotate(OpenApi.Title, "Events and deliveries")
  .annotate(OpenApi.Description, "What happened, and what receivers were told of it.")
