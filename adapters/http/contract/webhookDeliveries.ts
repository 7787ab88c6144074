import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ListDeliveriesQuery, ListEventsQuery } from "../../../core/webhooks/deliveries/LogQuery.ts"
import { AccountKey } from "./Access.ts"
import { Nothing, page } from "./Wire.ts"
import { DeliveryView } from "../../../core/webhooks/deliveries/Delivery.ts"
import { EventView } from "../../../core/webhooks/events/Event.ts"
import { account } from "./Endpoint.ts"
import { Audiences } from "./Route.ts"

const AGAIN = ["NOT_FOUND", "INVALID_TRANSITION"] as const

/** Events and their deliveries (Events; Webhook delivery). */
export const webhookDeliveries = HttpApiGroup.make("webhookDeliveries")
  .add(
    account.get("events", "/v1/events", {
      mayBeStale: true,
      summary: "List the account's events",
      description:
        "Newest first. Events are removed from the log after the installation's retention " +
        "period, 90 days by default. Then no list has them, and the id of a removed event " +
        "as `starting_after` is `INVALID_QUERY`: no older event is left. Use it to catch " +
        "up after a receiver was down. To read a single event, use its id.",
      query: ListEventsQuery.fields,
      success: page(EventView),
    }),
    account.get("event", "/v1/events/:id", {
      summary: "Show an event",
      description:
        "Use it to read one event again. Its deliveries are at `/v1/webhook-" +
        "deliveries?event_id=`.",
      success: EventView,
      refusals: ["NOT_FOUND"],
    }),
    account.get("list", "/v1/webhook-deliveries", {
      mayBeStale: true,
      summary: "List deliveries",
      description:
        "Newest first. Ended deliveries are removed after the installation's retention " +
        "period, 30 days by default. Then no list has them, reading or replaying them is " +
        "`NOT_FOUND`, and their id as `starting_after` is `INVALID_QUERY`. Use it to find " +
        "out why a receiver was not notified.",
      query: ListDeliveriesQuery.fields,
      success: page(DeliveryView),
    }),
    account.get("get", "/v1/webhook-deliveries/:id", {
      summary: "Show a delivery",
      description: "Use it to see each attempt, with the receiver's answer.",
      success: DeliveryView,
      refusals: ["NOT_FOUND"],
    }),
    account.post("replay", "/v1/webhook-deliveries/:id/replay", {
      summary: "Deliver an event again",
      description:
        "Use it when a receiver works again. The event keeps its id, so that receivers can " +
        "detect duplicates. Pending deliveries are retried anyway. An event that has 500 " +
        "deliveries is refused with `INVALID_TRANSITION`.",
      payload: Nothing,
      success: DeliveryView.pipe(HttpApiSchema.status(201)),
      refusals: AGAIN,
    }),
    account.post("test", "/v1/webhook-endpoints/:id/test", {
      summary: "Send a ping to an endpoint",
      description:
        "Use it to test a receiver. A ping is signed like any event. To send a real event " +
        "again, replay its delivery.",
      payload: Nothing,
      success: DeliveryView.pipe(HttpApiSchema.status(201)),
      refusals: AGAIN,
    }),
  )
  .middleware(AccountKey)
  .annotate(Audiences, ["receiver"])
  .annotate(OpenApi.Title, "Events and deliveries")
  .annotate(OpenApi.Description, "The account's events, and their deliveries to receivers.")
