import { DAY, type Timestamp, toIso } from "../shared/Timestamp.ts"
import { disable, type Endpoint } from "./Endpoint.ts"
import type { Happening } from "./Event.ts"

/** How long an endpoint may fail without a single 2xx. */
const PATIENCE = 5 * DAY

/**
 * The endpoint after an attempt that ended at `at`: it remembers when it began to fail, a 2xx
 * forgets that, and who fails five days later still is switched off (Delivery and retry rules).
 * Undefined where nothing about it changes.
 */
export const afterOutcome = (
  endpoint: Endpoint,
  isDelivered: boolean,
  at: Timestamp,
): Endpoint | undefined => {
  const { first_failure_at: since, status } = endpoint
  if (isDelivered) return since === null ? undefined : { ...endpoint, first_failure_at: null }
  if (since === null) return { ...endpoint, first_failure_at: at }
  return status === "enabled" && at - since >= PATIENCE
    ? disable(endpoint, "delivery_failures", at)
    : undefined
}

/** What the account's log is told of an endpoint that was switched off. */
export const disabledEvent = (endpoint: Endpoint): Happening => ({
  type: "webhook_endpoint.disabled",
  accounts: [endpoint.account_id],
  service_id: null,
  subject_id: endpoint.id,
  data: {
    endpoint_id: endpoint.id,
    url: endpoint.url,
    status: endpoint.status,
    disabled_reason: endpoint.disabled_reason,
    disabled_at: endpoint.disabled_at === null ? null : toIso(endpoint.disabled_at),
    first_failure_at: endpoint.first_failure_at === null ? null : toIso(endpoint.first_failure_at),
  },
})
