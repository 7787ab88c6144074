import { changeEndpoint } from "../../../core/webhooks/endpoints/changeEndpoint.ts"
import { createEndpoint } from "../../../core/webhooks/endpoints/createEndpoint.ts"
import { deleteEndpoint } from "../../../core/webhooks/endpoints/deleteEndpoint.ts"
import { getEndpoint, listEndpoints } from "../../../core/webhooks/endpoints/showEndpoints.ts"
import type { webhookEndpoints } from "../contract/webhookEndpoints.ts"
import type { CoreHandlers } from "./Core.ts"

export const webhookEndpointHandlers = {
  create: ({ caller, payload }) => createEndpoint(caller, payload),
  list: ({ caller, query }) => listEndpoints(caller, query),
  get: ({ caller, params }) => getEndpoint(caller, params.id),
  change: ({ caller, params, payload }) => changeEndpoint(caller, params.id, payload),
  delete: ({ caller, params }) => deleteEndpoint(caller, params.id),
} satisfies CoreHandlers<typeof webhookEndpoints>
