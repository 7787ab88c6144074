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
        "Newest first. Events leave the log after the installation's retention, 90 days " +
        "unless it says otherwise, and then no list has them; as `starting_after`, the id of " +
        "one that has left is `INVALID_QUERY`: there is nothing behind it. Use it to catch up " +
        "after a receiver was down; single events are read by id.",
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
        "Newest first. Deliveries that have ended leave after the installation's retention, " +
        "30 days unless it says otherwise: then no list has them, they are `NOT_FOUND` by " +
        "their id and for a replay, and as `starting_after` their id is `INVALID_QUERY`. Use " +
        "it to find out why a receiver was not told.",
      query: ListDeliveriesQuery.fields,
      success: page(DeliveryView),
    }),
    account.get("get", "/v1/webhook-deliveries/:id", {
      summary: "Show a delivery",
      description: "Use it to see each try, with the receiver's answer.",
      success: DeliveryView,
      refusals: ["NOT_FOUND"],
    }),
    account.post("replay", "/v1/webhook-deliveries/:id/replay", {
      summary: "Deliver an event again",
      description:
        "Use it once a receiver works again: the event keeps its id, so that receivers " +
        "dedupe. What is pending is tried without it.",
      payload: Nothing,
      success: DeliveryView.pipe(HttpApiSchema.status(201)),
      refusals: AGAIN,
    }),
    account.post("test", "/v1/webhook-endpoints/:id/test", {
      summary: "Send a ping to an endpoint",
      description:
        "Use it to try a receiver out: a ping is signed like any event. To send a real event " +
        "again, replay its delivery.",
      payload: Nothing,
      success: DeliveryView.pipe(HttpApiSchema.status(201)),
      refusals: AGAIN,
    }),
  )
  .middleware(AccountKey)
  .annotate(Audiences, ["receiver"])
  .annotate(OpenApi.Title, "Events and deliveries")
  .annotate(OpenApi.Description, "What happened, and what receivers were told of it.")
