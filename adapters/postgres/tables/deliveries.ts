import { text, uuid, word, jsonArray, timestamp, id, nullable, version, count } from "./codecs.ts"
import { makeTable } from "./Table.ts"

export const deliveries = makeTable({
  kind: "delivery",
  name: "deliveries",
  fields: {
    id: id("wd"),
    version,
    account_id: id("acct"),
    event_id: id("evt"),
    event_type: word(),
    endpoint_id: nullable(id("we")),
    service_id: nullable(uuid),
    url: text,
    key_id: nullable(id("whk")),
    status: word(),
    attempts: jsonArray(),
    error: nullable(word("webhook_endpoint_disabled", "webhook_key_not_found")),
    replay_of: nullable(id("wd")),
    first_retry: count,
    created_at: timestamp,
    due_at: nullable(timestamp),
  },
  // Whoever is told has a queue of its own: the endpoint, or the service whose endpoint is told.
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
