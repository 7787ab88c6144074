import { MOST_ENDPOINTS } from "../../../core/webhooks/endpoints/Endpoint.ts"
import { judgedAt } from "../../../core/webhooks/endpoints/EndpointHealth.ts"
import {
  text,
  integer,
  word,
  checked,
  jsonObject,
  jsonArray,
  textArray,
  timestamp,
  id,
  nullable,
  version,
} from "./codecs.ts"
import { part } from "./Group.ts"
import { makeTable } from "./Table.ts"

export const endpoints = makeTable({
  kind: "endpoint",
  name: "endpoints",
  fields: {
    id: id("we"),
    version,
    account_id: id("acct"),
    place: checked(integer, `… BETWEEN 1 AND ${MOST_ENDPOINTS}`),
    url: text,
    description: nullable(text),
    enabled_events: checked(textArray, "cardinality(…) > 0"),
    status: word("enabled", "disabled"),
    disabled_reason: nullable(word("requested", "delivery_failures")),
    disabled_at: nullable(timestamp),
    first_failure_at: nullable(timestamp),
    secret: text,
    previous_secrets: jsonArray(),
    encryption: nullable(jsonObject()),
    created_at: timestamp,
    updated_at: timestamp,
  },
  derived: { due_at: part(nullable(timestamp), judgedAt) },
  constraints: {
    endpoints_state: `(disabled_reason IS NOT NULL) = (status = 'disabled')
      AND (disabled_at IS NOT NULL) = (status = 'disabled')`,
    endpoints_judged:
      "(due_at IS NOT NULL) = (status = 'enabled' AND first_failure_at IS NOT NULL)",
  },
})
