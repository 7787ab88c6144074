import { defineKind } from "../../commits/KindDeclaration.ts"
import { Schema } from "effect"
import { DAY, type Timestamp } from "../../shared/Timestamp.ts"
import { changeSealed } from "../../accounts/SigningSecret.ts"
import { disable, type Endpoint, endpointSecretPlace, EndpointView } from "./Endpoint.ts"
import type { Happening } from "../events/Event.ts"
import { shownAs } from "../../shared/View.ts"
import { Time } from "../../shared/Wire.ts"

/** How long an endpoint may fail without a single 2xx. */
const PATIENCE = 5 * DAY

/** Returns when the endpoint will be disabled unless a 2xx comes first; null without failures. */
export const judgedAt = ({
  first_failure_at: since,
  status,
}: Pick<Endpoint, "first_failure_at" | "status">): Timestamp | null =>
  status === "enabled" && since !== null ? since + PATIENCE : null

/**
 * Returns the endpoint after an attempt that ended at `at`. It stores when the failures began, and
 * a 2xx clears the failures until then (Delivery and retry rules). Attempts may arrive in another
 * order than they ended in. Returns undefined if nothing changes.
 */
export const afterOutcome = (
  endpoint: Endpoint,
  isDelivered: boolean,
  at: Timestamp,
): Endpoint | undefined => {
  const { first_failure_at: since } = endpoint
  if (isDelivered) {
    return since !== null && since <= at ? { ...endpoint, first_failure_at: null } : undefined
  }
  return since === null ? { ...endpoint, first_failure_at: at } : undefined
}

/** Returns the endpoint disabled if it has failed for too long by `now`; undefined otherwise. */
export const afterPatience = (endpoint: Endpoint, now: Timestamp): Endpoint | undefined => {
  const at = judgedAt(endpoint)
  return at === null || now < at ? undefined : disable(endpoint, "delivery_failures", now)
}

/** The `data` of `webhook_endpoint.disabled`. */
export const EndpointDisabled = Schema.Struct({
  endpoint_id: Schema.String.annotateKey({ description: "The webhook endpoint's id." }),
  url: Schema.String.annotateKey({ description: "The https URL that receives the events." }),
  status: EndpointView.fields.status.annotateKey({ description: "The endpoint's current state." }),
  disabled_reason: EndpointView.fields.disabled_reason,
  disabled_at: Schema.NullOr(Time).annotateKey({
    description: "When the endpoint was disabled; null while it is enabled.",
  }),
  first_failure_at: Schema.NullOr(Time).annotateKey({
    description: "When the first of the consecutive failures happened.",
  }),
})

/** Returns the event for the account's log about an endpoint that was disabled. */
export const disabledEvent = (endpoint: Endpoint): Happening => ({
  type: "webhook_endpoint.disabled",
  accounts: [endpoint.account_id],
  service_id: null,
  subject_id: endpoint.id,
  data: shownAs(EndpointDisabled, endpoint, { endpoint_id: endpoint.id }),
})

/** How endpoints are kept. */
export const endpointKind = defineKind("endpoint", {
  prefix: "we",
  erased: true,
  cached: "found",
  dueAt: judgedAt,
  unique: [{ by: ["account_id", "place"] }],
  lists: [["account_id"]],
  sealed: (endpoint, change) => ({
    ...endpoint,
    ...changeSealed(endpoint, endpointSecretPlace(endpoint.id), change),
  }),
})

declare module "../events/Event.ts" {
  interface EventData {
    readonly "webhook_endpoint.disabled": typeof EndpointDisabled.Type
  }
}
