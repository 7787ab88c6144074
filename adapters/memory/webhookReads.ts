import { Effect } from "effect"
import type { Store } from "../../core/ports/Store.ts"
import type { DeliveryQuery } from "../../core/webhooks/deliveries/EventQuery.ts"
import type { Delivery } from "../../core/webhooks/deliveries/Delivery.ts"
import { wants } from "../../core/webhooks/endpoints/Endpoint.ts"
import { first, own } from "./lists.ts"
import type { State } from "./State.ts"

type Reads = Pick<
  Store["Service"],
  "listEvents" | "listDeliveries" | "listEndpoints" | "endpointsToTell" | "listWebhookKeys"
>

const isAsked = (delivery: Delivery, { endpoint_id, event_id, status }: DeliveryQuery): boolean =>
  (endpoint_id === undefined || delivery.endpoint_id === endpoint_id) &&
  (event_id === undefined || delivery.event_id === event_id) &&
  (status === undefined || delivery.status === status)

/** Questions about what happened and who is told. */
export const webhookReads = (tables: State["tables"]): Reads => ({
  listEvents: ({ account_id, limit, starting_after, type }) =>
    Effect.sync(() =>
      first(
        limit,
        tables.event.listed(account_id, starting_after),
        (event) => type === undefined || event.type === type,
      ),
    ),
  listDeliveries: (query) =>
    Effect.sync(() => {
      const listed = tables.delivery.listed(query.account_id, query.starting_after)
      return first(query.limit, listed, (delivery) => isAsked(delivery, query))
    }),
  listEndpoints: (query) => Effect.sync(() => own(tables.endpoint, query)),
  endpointsToTell: (accountId, type) =>
    Effect.sync(() =>
      [...tables.endpoint.listed(accountId)]
        .toReversed()
        .filter((endpoint) => wants(endpoint, type)),
    ),
  listWebhookKeys: (query) => Effect.sync(() => own(tables.webhook_key, query)),
})
