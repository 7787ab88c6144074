import { MOST_ENDPOINTS } from "../../../core/webhooks/endpoints/Endpoint.ts"
import { judgedAt } from "../../../core/webhooks/endpoints/EndpointHealth.ts"
import * as column from "./codecs.ts"
import { part } from "./Group.ts"
import { makeTable } from "./Table.ts"

export const endpoints = makeTable({
  kind: "endpoint",
  name: "endpoints",
  fields: {
    account_id: column.id("acct"),
    place: column.checked(column.integer, `… BETWEEN 1 AND ${MOST_ENDPOINTS}`),
    url: column.text,
    description: column.nullable(column.text),
    enabled_events: column.checked(column.textArray, "cardinality(…) > 0"),
    status: column.word("enabled", "disabled"),
    disabled_reason: column.nullable(column.word("requested", "delivery_failures")),
    disabled_at: column.nullable(column.timestamp),
    first_failure_at: column.nullable(column.timestamp),
    secret: column.text,
    previous_secrets: column.jsonArray(),
    encryption: column.nullable(column.jsonObject()),
    created_at: column.timestamp,
    updated_at: column.timestamp,
  },
  derived: { due_at: part(column.nullable(column.timestamp), judgedAt) },
  constraints: {
    endpoints_state: `(disabled_reason IS NOT NULL) = (status = 'disabled')
      AND (disabled_at IS NOT NULL) = (status = 'disabled')`,
    endpoints_judged:
      "(due_at IS NOT NULL) = (status = 'enabled' AND first_failure_at IS NOT NULL)",
  },
})
