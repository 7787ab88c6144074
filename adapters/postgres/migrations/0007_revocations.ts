import type { Migration } from "./Migration.ts"

const accessItems = [
  `CREATE TABLE access_items (
    id uuid PRIMARY KEY,
    version integer NOT NULL CHECK (version >= 1),
    account_id uuid NOT NULL,
    type text NOT NULL CHECK (type IN ('access_token', 'signed_url', 'session', 'license_key')),
    item_id text NOT NULL,
    item_key text COLLATE "C" NOT NULL CHECK (item_key ~ '^[0-9a-f]{64}$'),
    payment_intent uuid,
    scopes text[] NOT NULL,
    revoked json NOT NULL CHECK (json_typeof(revoked) = 'array'),
    created_at timestamptz(3) NOT NULL,
    CHECK (payment_intent IS NOT NULL OR json_array_length(revoked) > 0)
  )`,
  // Led by the key, so that it also tells whether other sellers have registered it.
  `CREATE UNIQUE INDEX access_items_key_taken ON access_items (item_key, account_id)`,
  `CREATE INDEX access_items_account ON access_items (account_id, id)`,
  `CREATE INDEX access_items_intent ON access_items (payment_intent, id)
    WHERE payment_intent IS NOT NULL`,
]

const revocations = [
  `CREATE TABLE revocations (
    id uuid PRIMARY KEY,
    version integer NOT NULL CHECK (version >= 1),
    account_id uuid NOT NULL,
    refund uuid NOT NULL,
    payment_intent uuid NOT NULL,
    service_id uuid NOT NULL,
    position integer NOT NULL CHECK (position >= 0),
    batch_size integer NOT NULL,
    target_type text NOT NULL
      CHECK (target_type IN ('access_token', 'signed_url', 'session', 'license_key')),
    target_id text NOT NULL,
    scope text NOT NULL,
    notify boolean NOT NULL,
    strict boolean NOT NULL,
    status text NOT NULL CHECK (status IN ('pending', 'revoked', 'failed', 'expired')),
    attempts integer NOT NULL CHECK (attempts BETWEEN 0 AND 4),
    error_code text,
    error_message text,
    revoked_at timestamptz(3),
    failed_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    due_at timestamptz(3),
    lease_until timestamptz(3),
    CHECK (position < batch_size),
    CONSTRAINT revocations_facts CHECK (
      (revoked_at IS NOT NULL) = (status IN ('revoked', 'expired'))
      AND (failed_at IS NOT NULL) = (status = 'failed')
      AND (status <> 'failed' OR error_code IS NOT NULL)
      AND (status NOT IN ('failed', 'expired') OR due_at IS NULL)
      AND (error_code IS NULL) = (error_message IS NULL))
  )`,
  `CREATE UNIQUE INDEX revocations_refund_taken ON revocations (refund, position)`,
  `CREATE INDEX revocations_account ON revocations (account_id, id)`,
  `CREATE INDEX revocations_of_all ON revocations (payment_intent)
    WHERE scope = 'all' AND status <> 'failed'`,
  `CREATE INDEX revocations_due ON revocations (due_at, id) WHERE due_at IS NOT NULL`,
]

/** What payments bought, and what refunds took back of it. */
export const revocationsAndAccess: Migration = {
  id: 7,
  name: "revocations",
  statements: [...accessItems, ...revocations],
}
