import type { OwnQuery } from "../../shared/Page.ts"
import type { Delivery } from "../../webhooks/deliveries/Delivery.ts"
import type { Endpoint } from "../../webhooks/endpoints/Endpoint.ts"
import type { Event, EventType } from "../../webhooks/events/Event.ts"
import type { DeliveryQuery, EventQuery } from "../../webhooks/deliveries/EventQuery.ts"
import type { WebhookKey } from "../../webhooks/keys/WebhookKey.ts"
import type { Read } from "./Read.ts"

/** What happened, and who is told of it (Events). */
export interface WebhookReads {
  readonly listEvents: (query: EventQuery) => Read<ReadonlyArray<Event>>
  readonly listDeliveries: (query: DeliveryQuery) => Read<ReadonlyArray<Delivery>>
  readonly listEndpoints: (query: OwnQuery) => Read<ReadonlyArray<Endpoint>>
  /** The account's endpoints that want events of that type, enabled or not, oldest first. */
  readonly endpointsToTell: (accountId: string, type: EventType) => Read<ReadonlyArray<Endpoint>>
  readonly listWebhookKeys: (query: OwnQuery) => Read<ReadonlyArray<WebhookKey>>
}
