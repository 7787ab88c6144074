import type { Migration } from "./Migration.ts"

/** An endpoint that fails falls due to be switched off. */
export const endpointHealth: Migration = {
  id: 11,
  name: "endpoint_health",
  statements: [
    `ALTER TABLE endpoints ADD COLUMN due_at timestamptz(3), ADD COLUMN lease_until timestamptz(3)`,
    `UPDATE endpoints SET due_at = first_failure_at + interval '120 hours'
      WHERE status = 'enabled' AND first_failure_at IS NOT NULL`,
    `ALTER TABLE endpoints ADD CONSTRAINT endpoints_judged CHECK (
      (due_at IS NOT NULL) = (status = 'enabled' AND first_failure_at IS NOT NULL))`,
    `CREATE INDEX endpoints_due ON endpoints (due_at, id) WHERE due_at IS NOT NULL`,
  ],
}
