import type { Migration } from "./Migration.ts"

/** Events of accounts and agents, which are about no service. */
export const deliveries: Migration = {
  id: 3,
  name: "deliveries",
  statements: [`ALTER TABLE events ALTER COLUMN service_id DROP NOT NULL`],
}
