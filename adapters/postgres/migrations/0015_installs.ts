import type { Migration } from "./Migration.ts"

const money = (column: string): string =>
  `(json_typeof(${column}) = 'object' AND length(${column}->>'currency') = 3
    AND (${column}->>'value')::bigint BETWEEN 1 AND 1000000000000)`

const cap = (column: string): string =>
  `(json_typeof(${column}) = 'object' AND json_typeof(${column}->'amount') = 'object'
    AND ${column}->>'period' IN ('daily', 'weekly', 'monthly'))`

/** How agents use services, what may be charged without asking, and the payments made that way. */
export const installs: Migration = {
  id: 15,
  name: "installs",
  statements: [
    `CREATE TABLE installs (
      id uuid PRIMARY KEY,
      version integer NOT NULL CHECK (version >= 1),
      account_id uuid NOT NULL,
      service_id uuid NOT NULL,
      agent_id text NOT NULL,
      auto_pay_limit json CHECK ${money("auto_pay_limit")},
      channel_preference text,
      channels text[] NOT NULL,
      spend_cap json CHECK ${cap("spend_cap")},
      spend_cap_in_force json CHECK ${cap("spend_cap_in_force")},
      budget_alerts json NOT NULL CHECK (json_typeof(budget_alerts) = 'array'),
      mandate json CHECK (mandate->>'status' IN ('pending', 'active', 'revoked')),
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL CHECK (created_at <= updated_at)
    )`,
    `CREATE INDEX installs_account ON installs (account_id, id)`,
    `CREATE INDEX installs_service ON installs (account_id, service_id, id)`,
    `CREATE TABLE mandates (
      id uuid PRIMARY KEY,
      version integer NOT NULL CHECK (version >= 1),
      account_id uuid NOT NULL,
      install_id uuid NOT NULL,
      service_id uuid NOT NULL,
      agent_id text NOT NULL,
      channel text NOT NULL,
      auto_pay_limit json NOT NULL CHECK ${money("auto_pay_limit")},
      spend_cap json CHECK ${cap("spend_cap")},
      approval_url text,
      asks integer NOT NULL CHECK (asks >= 0),
      status text NOT NULL CHECK (status IN ('pending', 'active', 'revoked')),
      approved_at timestamptz(3),
      revoked_at timestamptz(3),
      created_at timestamptz(3) NOT NULL,
      due_at timestamptz(3),
      lease_until timestamptz(3),
      CONSTRAINT mandates_facts CHECK (
        (approved_at IS NULL OR status <> 'pending')
        AND (approved_at IS NOT NULL OR status <> 'active')
        AND (revoked_at IS NOT NULL) = (status = 'revoked')
        AND (due_at IS NULL OR status <> 'active')
        AND (due_at IS NOT NULL OR status <> 'pending'))
    )`,
    `CREATE INDEX mandates_account ON mandates (account_id, id)`,
    `CREATE INDEX mandates_due ON mandates (due_at, id) WHERE due_at IS NOT NULL`,
    `ALTER TABLE channel_requests
      ADD COLUMN mandate uuid,
      DROP CONSTRAINT channel_requests_action_check,
      ADD CONSTRAINT channel_requests_action CHECK
        (action IN ('capture', 'release', 'close', 'refund', 'debit')),
      ADD CONSTRAINT channel_requests_mandate CHECK ((mandate IS NOT NULL) = (action = 'debit'))`,
    `ALTER TABLE payment_intents
      ADD COLUMN debit_request uuid,
      DROP CONSTRAINT payment_intents_state,
      ADD CONSTRAINT payment_intents_state CHECK (CASE flow
        WHEN 'request_payment' THEN CASE status
          WHEN 'pending' THEN scanned_at IS NULL
          WHEN 'qr_generated' THEN scanned_at IS NULL
          WHEN 'scanning' THEN scanned_at IS NOT NULL AND authorized_at IS NULL
          WHEN 'authorized' THEN authorized_at IS NOT NULL AND captured_at IS NULL
          WHEN 'capturing' THEN authorized_at IS NOT NULL AND captured_at IS NULL
          WHEN 'captured' THEN captured_at IS NOT NULL
          WHEN 'succeeded' THEN captured_at IS NOT NULL AND succeeded_at IS NOT NULL
          WHEN 'failed' THEN true
          WHEN 'expired' THEN captured_at IS NULL
          WHEN 'cancelled' THEN captured_at IS NULL
          WHEN 'voided' THEN captured_at IS NULL
          ELSE false END
        WHEN 'one_time_pay' THEN scanned_at IS NULL AND captured_at IS NULL AND CASE status
          WHEN 'pending' THEN true
          WHEN 'debiting' THEN deeplink IS NULL
          WHEN 'completed' THEN succeeded_at IS NOT NULL AND auto_paid IS NOT NULL
          WHEN 'failed' THEN true
          WHEN 'expired' THEN true
          WHEN 'cancelled' THEN true
          WHEN 'voided' THEN true
          ELSE false END
        ELSE false END),
      DROP CONSTRAINT payment_intents_facts,
      ADD CONSTRAINT payment_intents_facts CHECK (
        (succeeded_at IS NOT NULL) = (status IN ('succeeded', 'completed'))
        AND (channel_txn_id IS NOT NULL) = (succeeded_at IS NOT NULL)
        AND (auto_paid IS NOT NULL) = (status = 'completed')
        AND (capture_request IS NOT NULL) = (status = 'capturing')
        AND (debit_request IS NOT NULL) = (status = 'debiting')
        AND (channel_outcome IS NOT NULL) = (status IN ('capturing', 'debiting'))
        AND (ended_at IS NOT NULL) = (status IN ('failed', 'expired', 'cancelled', 'voided'))
        AND (failure_code IS NOT NULL) = (status = 'failed')
        AND (failure_message IS NOT NULL) = (status = 'failed')
        AND (authorized_at IS NULL OR scanned_at IS NOT NULL)
        AND (captured_at IS NULL OR authorized_at IS NOT NULL))`,
  ],
}
