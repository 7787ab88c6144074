import type { Migration } from "./Migration.ts"

/** What the channels' statements are held against, and what came of it day by day. */
export const reconciliation: Migration = {
  id: 12,
  name: "reconciliation",
  statements: [
    `CREATE TABLE reconciliation_runs (
      id uuid PRIMARY KEY,
      version integer NOT NULL CHECK (version >= 1),
      day text COLLATE "C" NOT NULL CHECK (day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
      channel text COLLATE "C" NOT NULL,
      runs integer NOT NULL CHECK (runs >= 0),
      attempts integer NOT NULL CHECK (attempts >= 0),
      failure text,
      result json CHECK (json_typeof(result) = 'object'),
      completed_at timestamptz(3),
      due_at timestamptz(3),
      lease_until timestamptz(3),
      CONSTRAINT reconciliation_runs_day UNIQUE (day, channel),
      CONSTRAINT reconciliation_runs_facts CHECK (
        (completed_at IS NULL) = (runs = 0) AND (result IS NULL) = (runs = 0))
    )`,
    `CREATE INDEX reconciliation_runs_due ON reconciliation_runs (due_at, id)
      WHERE due_at IS NOT NULL`,
    `ALTER TABLE discrepancies ADD COLUMN run uuid`,
    `ALTER TABLE discrepancies DROP CONSTRAINT discrepancies_kind_check`,
    `ALTER TABLE discrepancies ADD CONSTRAINT discrepancies_kind_check CHECK (kind IN
      ('late_payment', 'amount_mismatch', 'channel_mismatch', 'status_mismatch',
      'missing_at_channel', 'missing_at_service'))`,
    `CREATE INDEX discrepancies_time ON discrepancies (account_id, created_at, id)`,
    `CREATE INDEX discrepancies_run ON discrepancies (run, created_at, id) WHERE run IS NOT NULL`,
    // One row a payment and one a refund: the others of a journal are in no statement.
    `CREATE INDEX postings_clearing ON postings (channel, created_at, id)
      WHERE ledger_account = 'channel_clearing'`,
  ],
}
