/** The tables of replies, keys and counters, of adapters' documents and of rate windows. */
export const INFRASTRUCTURE: ReadonlyArray<string> = [
  `CREATE TABLE payport.replies (
    account_id uuid NOT NULL,
    key text COLLATE "C" NOT NULL,
    fingerprint text NOT NULL,
    holder text NOT NULL,
    answer text,
    lease_until timestamptz(3) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    PRIMARY KEY (account_id, key),
    CHECK (created_at <= expires_at)
  )`,
  `CREATE INDEX replies_over ON payport.replies (expires_at)`,
  `CREATE TABLE payport.claimed_keys (key text COLLATE "C" PRIMARY KEY, owner text NOT NULL)`,
  `CREATE INDEX claimed_keys_owner ON payport.claimed_keys (owner)`,
  `CREATE TABLE payport.counters (counter text COLLATE "C" PRIMARY KEY, value bigint NOT NULL)`,
  `CREATE TABLE payport.documents (
    scope text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    version integer NOT NULL CHECK (version >= 1),
    body json NOT NULL,
    due_at timestamptz(3),
    PRIMARY KEY (scope, id)
  )`,
  `CREATE INDEX documents_due ON payport.documents (scope, due_at, id) WHERE due_at IS NOT NULL`,
  `CREATE INDEX counters_day ON payport.counters ((right(counter, 10) COLLATE "C"))
    WHERE counter LIKE '%:____-__-__'`,
  // A lease updates the row of its window, so pages keep free space for new row versions. The row
  // keeps its previous values, because PostgreSQL returns them only from version 18 on.
  `CREATE TABLE payport.rate_windows (
    window_start timestamptz(3) NOT NULL,
    account_id uuid NOT NULL,
    rate_class text COLLATE "C" NOT NULL CHECK (rate_class IN ('standard', 'reserve')),
    taken integer NOT NULL CHECK (taken >= 0),
    most integer NOT NULL CHECK (most >= 0),
    granted integer NOT NULL DEFAULT 0 CHECK (granted >= 0),
    PRIMARY KEY (window_start, account_id, rate_class)
  ) WITH (fillfactor = 50)`,
]
