import type { Migration } from "./Migration.ts"

/** Events of accounts and agents are about no service. */
const events = [
  `ALTER TABLE events ALTER COLUMN service_id DROP NOT NULL`,
  `CREATE INDEX events_of_type ON events (account_id, type, id)`,
]

/**
 * Whoever is told has a queue of its own: `receiver` is the endpoint, or the service whose own
 * endpoint is told. An event is told to a receiver once, but for what is asked for again.
 */
const deliveries = [
  `ALTER TABLE deliveries
    ALTER COLUMN service_id DROP NOT NULL,
    ADD COLUMN endpoint_id uuid,
    ADD COLUMN key_id uuid,
    ADD COLUMN error text CHECK (error IN ('webhook_endpoint_disabled', 'webhook_key_not_found')),
    ADD COLUMN replay_of uuid,
    ADD COLUMN first_retry integer NOT NULL DEFAULT 0 CHECK (first_retry >= 0),
    ADD COLUMN receiver uuid NOT NULL
      GENERATED ALWAYS AS (coalesce(endpoint_id, service_id)) STORED,
    ADD CONSTRAINT deliveries_one_receiver CHECK ((endpoint_id IS NULL) <> (service_id IS NULL)),
    DROP CONSTRAINT deliveries_status_check,
    DROP CONSTRAINT deliveries_check,
    ADD CONSTRAINT deliveries_state CHECK (CASE status
      WHEN 'pending' THEN due_at IS NOT NULL AND error IS NULL
      WHEN 'delivering' THEN due_at IS NOT NULL AND error IS NULL
      WHEN 'delivered' THEN due_at IS NULL AND error IS NULL
      WHEN 'failed' THEN due_at IS NULL
      WHEN 'skipped' THEN due_at IS NULL
      ELSE false END)`,
  `CREATE UNIQUE INDEX deliveries_taken ON deliveries (event_id, receiver)
    WHERE replay_of IS NULL`,
  `CREATE INDEX deliveries_event ON deliveries (event_id, id)`,
  `CREATE INDEX deliveries_endpoint ON deliveries (endpoint_id, id)
    WHERE endpoint_id IS NOT NULL`,
  `CREATE INDEX deliveries_status ON deliveries (account_id, status, id)`,
  `CREATE INDEX deliveries_queue ON deliveries (receiver, due_at, id) WHERE due_at IS NOT NULL`,
]

/** What the deliveries to registered endpoints need. */
export const deliveriesToEndpoints: Migration = {
  id: 3,
  name: "deliveries",
  statements: [...events, ...deliveries],
}
