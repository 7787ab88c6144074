import type { Migration } from "./Migration.ts"

/**
 * An account's public keys take numbered places, so that no count of them can be raced past. Who
 * has more of them already keeps them.
 */
export const keyPlaces: Migration = {
  id: 21,
  name: "key_places",
  statements: [
    `ALTER TABLE webhook_keys ADD COLUMN place integer`,
    `UPDATE webhook_keys SET place = numbered.place FROM (
      SELECT id, row_number() OVER (PARTITION BY account_id ORDER BY id) AS place
        FROM webhook_keys) AS numbered
      WHERE webhook_keys.id = numbered.id`,
    `ALTER TABLE webhook_keys
      ALTER COLUMN place SET NOT NULL,
      ADD CONSTRAINT webhook_keys_place CHECK (place BETWEEN 1 AND 20) NOT VALID`,
    `CREATE UNIQUE INDEX webhook_keys_place_taken ON webhook_keys (account_id, place)`,
  ],
}
