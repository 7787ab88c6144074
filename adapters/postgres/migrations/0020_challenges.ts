import type { Migration } from "./Migration.ts"

/** What paid endpoints have asked for: what each payment opens, and whether it has been used. */
export const challenges: Migration = {
  id: 20,
  name: "challenges",
  statements: [
    `CREATE TABLE challenges (
      id uuid PRIMARY KEY,
      version integer NOT NULL CHECK (version >= 1),
      account_id uuid NOT NULL,
      service_id uuid NOT NULL,
      amount_currency text NOT NULL CHECK (length(amount_currency) = 3),
      amount_value bigint NOT NULL CHECK (amount_value BETWEEN 1 AND 1000000000000),
      resource text NOT NULL CHECK (length(resource) BETWEEN 1 AND 2048),
      token_hash text NOT NULL CHECK (token_hash ~ '^[0-9a-f]{64}$'),
      valid_seconds integer CHECK (valid_seconds >= 1),
      redeemed_at timestamptz(3),
      created_at timestamptz(3) NOT NULL,
      expires_at timestamptz(3) NOT NULL,
      due_at timestamptz(3),
      lease_until timestamptz(3),
      CHECK (created_at <= expires_at)
    )`,
    `CREATE INDEX challenges_account ON challenges (account_id, id)`,
    `CREATE INDEX challenges_due ON challenges (due_at, id) WHERE due_at IS NOT NULL`,
  ],
}
