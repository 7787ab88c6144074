import * as column from "./codecs.ts"
import { makeTable } from "./Table.ts"

export const deliveries = makeTable({
  kind: "delivery",
  name: "deliveries",
  fields: {
    account_id: column.id("acct"),
    event_id: column.id("evt"),
    event_type: column.word(),
    endpoint_id: column.nullable(column.id("we")),
    service_id: column.nullable(column.uuid),
    url: column.text,
    key_id: column.nullable(column.id("whk")),
    status: column.word(),
    attempts: column.jsonArray(),
    error: column.nullable(column.word("webhook_endpoint_disabled", "webhook_key_not_found")),
    replay_of: column.nullable(column.id("wd")),
    first_retry: column.count,
    created_at: column.timestamp,
    due_at: column.nullable(column.timestamp),
  },
  // Each receiver has its own queue: the endpoint, or the service if its endpoint is told.
  generated: {
    receiver: "uuid NOT NULL GENERATED ALWAYS AS (coalesce(endpoint_id, service_id)) STORED",
  },
  constraints: {
    deliveries_one_receiver: "(endpoint_id IS NULL) <> (service_id IS NULL)",
    deliveries_state: `CASE status
      WHEN 'pending' THEN due_at IS NOT NULL AND error IS NULL
      WHEN 'delivering' THEN due_at IS NOT NULL AND error IS NULL
      WHEN 'delivered' THEN due_at IS NULL AND error IS NULL
      WHEN 'failed' THEN due_at IS NULL
      WHEN 'skipped' THEN due_at IS NULL
      ELSE false END`,
  },
  indexes: {
    deliveries_queue: "(receiver, due_at, id) WHERE due_at IS NOT NULL",
  },
})
