import type { Migration } from "./Migration.ts"

/** What accounts have used of their plans in the minute and the month, and what it came to. */
export const plans: Migration = {
  id: 16,
  name: "plans",
  statements: [
    // A slice is one update of a row of a minute, so pages leave room for it beside itself.
    `CREATE TABLE rate_windows (
      window_start timestamptz(3) NOT NULL,
      account_id uuid NOT NULL,
      rate_class text COLLATE "C" NOT NULL CHECK (rate_class IN ('standard', 'reserve')),
      taken integer NOT NULL CHECK (taken >= 0),
      most integer NOT NULL CHECK (most >= 0),
      PRIMARY KEY (window_start, account_id, rate_class)
    ) WITH (fillfactor = 50)`,
    `CREATE TABLE billing_cycles (
      id uuid PRIMARY KEY,
      version integer NOT NULL CHECK (version >= 1),
      account_id uuid NOT NULL CHECK (account_id = id),
      month text COLLATE "C" NOT NULL CHECK (month ~ '^[0-9]{4}-[0-9]{2}$'),
      opened_at timestamptz(3) NOT NULL,
      plans json NOT NULL CHECK (json_array_length(plans) > 0),
      due_at timestamptz(3),
      lease_until timestamptz(3)
    )`,
    `CREATE INDEX billing_cycles_due ON billing_cycles (due_at, id) WHERE due_at IS NOT NULL`,
    `CREATE TABLE statements (
      id uuid PRIMARY KEY,
      version integer NOT NULL CHECK (version >= 1),
      account_id uuid NOT NULL,
      month text COLLATE "C" NOT NULL CHECK (month ~ '^[0-9]{4}-[0-9]{2}$'),
      bill json NOT NULL CHECK (json_typeof(bill) = 'object'),
      created_at timestamptz(3) NOT NULL,
      CONSTRAINT statements_month UNIQUE (account_id, month)
    )`,
    `CREATE INDEX statements_account ON statements (account_id, id)`,
    // Accounts of before are billed from the month of this step on.
    `INSERT INTO billing_cycles (id, version, account_id, month, opened_at, plans, due_at)
    SELECT id, 1, id, to_char(since, 'YYYY-MM'), since AT TIME ZONE 'UTC',
      json_build_array(json_build_object('plan', plan,
        'since', (extract(epoch FROM since) * 1000)::bigint)),
      (since + interval '1 month' + interval '1 minute') AT TIME ZONE 'UTC'
    FROM accounts, date_trunc('month', now() AT TIME ZONE 'UTC') AS since`,
  ],
}
