import { replayDelivery, testEndpoint } from "../../../core/webhooks/deliveries/deliverAgain.ts"
import {
  getDelivery,
  getEvent,
  listDeliveries,
  listEvents,
} from "../../../core/webhooks/deliveries/showLog.ts"
import type { webhookDeliveries } from "../contract/webhookDeliveries.ts"
import type { CoreHandlers } from "./Core.ts"

export const webhookDeliveryHandlers = {
  events: ({ caller, query }) => listEvents(caller, query),
  event: ({ caller, params }) => getEvent(caller, params.id),
  list: ({ caller, query }) => listDeliveries(caller, query),
  get: ({ caller, params }) => getDelivery(caller, params.id),
  replay: ({ caller, params }) => replayDelivery(caller, params.id),
  test: ({ caller, params }) => testEndpoint(caller, params.id),
} satisfies CoreHandlers<typeof webhookDeliveries>
