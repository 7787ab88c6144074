import type { Migration } from "./Migration.ts"

const secrets = [
  `ALTER TABLE accounts ADD COLUMN previous_webhook_secrets json NOT NULL DEFAULT '[]'
    CHECK (json_typeof(previous_webhook_secrets) = 'array')`,
]

const endpoints = [
  `CREATE TABLE endpoints (
    id uuid PRIMARY KEY,
    version integer NOT NULL CHECK (version >= 1),
    account_id uuid NOT NULL,
    place integer NOT NULL CHECK (place BETWEEN 1 AND 50),
    url text NOT NULL,
    description text,
    enabled_events text[] NOT NULL CHECK (cardinality(enabled_events) > 0),
    status text NOT NULL CHECK (status IN ('enabled', 'disabled')),
    disabled_reason text CHECK (disabled_reason IN ('requested', 'delivery_failures')),
    disabled_at timestamptz(3),
    first_failure_at timestamptz(3),
    secret text NOT NULL,
    previous_secrets json NOT NULL CHECK (json_typeof(previous_secrets) = 'array'),
    encryption json CHECK (json_typeof(encryption) = 'object'),
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CONSTRAINT endpoints_state CHECK (
      (disabled_reason IS NOT NULL) = (status = 'disabled')
      AND (disabled_at IS NOT NULL) = (status = 'disabled'))
  )`,
  `CREATE INDEX endpoints_account ON endpoints (account_id, id)`,
  `CREATE UNIQUE INDEX endpoints_place_taken ON endpoints (account_id, place)`,
]

const keys = [
  `CREATE TABLE webhook_keys (
    id uuid PRIMARY KEY,
    version integer NOT NULL CHECK (version >= 1),
    account_id uuid NOT NULL,
    key_type text NOT NULL CHECK (key_type = 'x25519'),
    public_key text NOT NULL CHECK (public_key ~ '^[A-Za-z0-9+/]{43}=$'),
    fingerprint text NOT NULL CHECK (fingerprint ~ '^fp_[0-9a-f]{16}$'),
    label text,
    created_at timestamptz(3) NOT NULL
  )`,
  `CREATE INDEX webhook_keys_account ON webhook_keys (account_id, id)`,
]

/** Receivers that accounts register, the keys that they are encrypted for, rotated secrets. */
export const webhooks: Migration = {
  id: 2,
  name: "webhooks",
  statements: [...secrets, ...endpoints, ...keys],
}
