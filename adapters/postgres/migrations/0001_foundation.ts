import type { Migration } from "./Migration.ts"

const accounts = [
  `CREATE TABLE accounts (
    id uuid PRIMARY KEY,
    version integer NOT NULL CHECK (version >= 1),
    name text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('seller', 'buyer')),
    agent_id text NOT NULL CONSTRAINT accounts_agent_id_taken UNIQUE,
    merchant_account text,
    plan text NOT NULL CHECK (plan IN ('starter', 'pro', 'enterprise')),
    webhook_secret text NOT NULL,
    created_at timestamptz(3) NOT NULL
  )`,
  `CREATE TABLE api_keys (
    id uuid PRIMARY KEY,
    version integer NOT NULL CHECK (version >= 1),
    account_id uuid NOT NULL,
    hash text NOT NULL CONSTRAINT api_keys_hash_taken UNIQUE CHECK (hash ~ '^[0-9a-f]{64}$'),
    hint text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3),
    revoked_at timestamptz(3)
  )`,
  `CREATE INDEX api_keys_account ON api_keys (account_id, id)`,
]

const services = [
  `CREATE TABLE services (
    id uuid PRIMARY KEY,
    version integer NOT NULL CHECK (version >= 1),
    account_id uuid NOT NULL,
    name text NOT NULL,
    name_key text NOT NULL,
    description text NOT NULL,
    payment_methods json NOT NULL CHECK (json_typeof(payment_methods) = 'object'),
    one_time boolean NOT NULL,
    cumulative boolean NOT NULL,
    subscription boolean NOT NULL,
    pricing json NOT NULL CHECK (json_typeof(pricing) = 'object'),
    accepted_channels text[] NOT NULL,
    qr_mode text NOT NULL CHECK (qr_mode IN ('dynamic', 'static')),
    settlement_currency text NOT NULL CHECK (settlement_currency ~ '^[A-Z]{3}$'),
    endpoint text NOT NULL,
    tags text[] NOT NULL,
    default_channel text,
    fallback_channel text,
    revocation_policy json CHECK (json_typeof(revocation_policy) = 'object'),
    status text NOT NULL
      CHECK (status IN ('draft', 'active', 'paused', 'deprecated', 'deleted')),
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    deprecated_at timestamptz(3),
    deleted_at timestamptz(3),
    due_at timestamptz(3),
    lease_until timestamptz(3),
    search tsvector NOT NULL,
    CHECK (deprecated_at <= deleted_at)
  )`,
  `CREATE UNIQUE INDEX services_own_name_taken ON services (account_id, name_key)
    WHERE status <> 'deleted'`,
  `CREATE UNIQUE INDEX services_active_name_taken ON services (name_key) WHERE status = 'active'`,
  `CREATE INDEX services_newest ON services (status, created_at, id)
    INCLUDE (one_time, cumulative, subscription)`,
  `CREATE INDEX services_own ON services (account_id, status, created_at, id)`,
  `CREATE INDEX services_search ON services USING gin (search) WITH (fastupdate = off)`,
  `CREATE INDEX services_channels ON services USING gin (accepted_channels)
    WITH (fastupdate = off)`,
  `CREATE INDEX services_due ON services (due_at, id) WHERE due_at IS NOT NULL`,
]

const intents = [
  `CREATE TABLE payment_intents (
    id uuid PRIMARY KEY,
    version integer NOT NULL CHECK (version >= 1),
    flow text NOT NULL,
    status text NOT NULL,
    account_id uuid NOT NULL,
    payee_account_id uuid NOT NULL,
    payer_account_id uuid,
    service_id uuid NOT NULL,
    amount_currency text NOT NULL CHECK (length(amount_currency) = 3),
    amount_value bigint NOT NULL CHECK (amount_value BETWEEN 1 AND 1000000000000),
    settlement_currency text NOT NULL CHECK (length(settlement_currency) = 3),
    settlement_value bigint NOT NULL CHECK (settlement_value BETWEEN 0 AND 9007199254740991),
    settlement_rate numeric NOT NULL CHECK (settlement_rate > 0),
    description text NOT NULL,
    payer_agent_id text,
    payer_human_id text,
    payer_wallet_id text,
    payee_agent_id text NOT NULL,
    payee_merchant_account text,
    channel text,
    trade_no text,
    offers json NOT NULL CHECK (json_typeof(offers) = 'array'),
    qr_charge_id uuid,
    deeplink text,
    return_url text,
    metadata json CHECK (json_typeof(metadata) = 'object'),
    scanned_at timestamptz(3),
    authorized_at timestamptz(3),
    captured_at timestamptz(3),
    succeeded_at timestamptz(3),
    ended_at timestamptz(3),
    capture_request uuid,
    channel_outcome text CHECK (channel_outcome IN ('pending', 'unknown')),
    channel_txn_id text,
    auto_paid boolean,
    failure_code text,
    failure_message text,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    due_at timestamptz(3),
    lease_until timestamptz(3),
    CONSTRAINT payment_intents_state CHECK (CASE flow
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
        WHEN 'completed' THEN succeeded_at IS NOT NULL AND auto_paid IS NOT NULL
        WHEN 'failed' THEN true
        WHEN 'expired' THEN true
        WHEN 'cancelled' THEN true
        WHEN 'voided' THEN true
        ELSE false END
      ELSE false END),
    CONSTRAINT payment_intents_facts CHECK (
      (succeeded_at IS NOT NULL) = (status IN ('succeeded', 'completed'))
      AND (channel_txn_id IS NOT NULL) = (succeeded_at IS NOT NULL)
      AND (auto_paid IS NOT NULL) = (status = 'completed')
      AND (capture_request IS NOT NULL) = (status = 'capturing')
      AND (channel_outcome IS NOT NULL) = (status = 'capturing')
      AND (ended_at IS NOT NULL) = (status IN ('failed', 'expired', 'cancelled', 'voided'))
      AND (failure_code IS NOT NULL) = (status = 'failed')
      AND (failure_message IS NOT NULL) = (status = 'failed')
      AND (authorized_at IS NULL OR scanned_at IS NOT NULL)
      AND (captured_at IS NULL OR authorized_at IS NOT NULL)),
    CONSTRAINT payment_intents_order CHECK (
      scanned_at <= authorized_at
      AND authorized_at <= captured_at
      AND captured_at <= succeeded_at)
  )`,
  // Whoever lists sees an intent once: as its creator, else as its payee, else as its payer. Most
  // creators are payer or payee too, so that most rows are in two of the three indexes.
  `CREATE INDEX payment_intents_creator ON payment_intents (account_id, id)`,
  `CREATE INDEX payment_intents_payee ON payment_intents (payee_account_id, id)
    WHERE payee_account_id <> account_id`,
  `CREATE INDEX payment_intents_payer ON payment_intents (payer_account_id, id)
    WHERE payer_account_id <> account_id AND payer_account_id <> payee_account_id`,
  `CREATE UNIQUE INDEX payment_intents_qr_charge_taken ON payment_intents (qr_charge_id)
    WHERE qr_charge_id IS NOT NULL`,
  `CREATE UNIQUE INDEX payment_intents_trade_taken ON payment_intents (channel, trade_no)
    WHERE trade_no IS NOT NULL`,
  `CREATE INDEX payment_intents_due ON payment_intents (due_at, id) WHERE due_at IS NOT NULL`,
]

const channels = [
  `CREATE TABLE channel_requests (
    id uuid PRIMARY KEY,
    version integer NOT NULL CHECK (version >= 1),
    payment_intent uuid NOT NULL,
    account_id uuid NOT NULL,
    channel text NOT NULL,
    action text NOT NULL CHECK (action IN ('capture', 'release', 'close', 'refund')),
    charge_id text NOT NULL,
    trade_no text,
    amount_currency text NOT NULL CHECK (length(amount_currency) = 3),
    amount_value bigint NOT NULL CHECK (amount_value BETWEEN 1 AND 1000000000000),
    status text NOT NULL CHECK (status IN ('outstanding', 'unknown', 'done', 'refused')),
    attempts integer NOT NULL CHECK (attempts >= 0),
    failure text,
    created_at timestamptz(3) NOT NULL,
    due_at timestamptz(3),
    lease_until timestamptz(3),
    CHECK (status NOT IN ('done', 'refused') OR due_at IS NULL)
  )`,
  `CREATE INDEX channel_requests_account ON channel_requests (account_id, id)`,
  `CREATE INDEX channel_requests_due ON channel_requests (due_at, id) WHERE due_at IS NOT NULL`,
  `CREATE TABLE discrepancies (
    id uuid PRIMARY KEY,
    version integer NOT NULL CHECK (version >= 1),
    account_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN
      ('late_payment', 'amount_mismatch', 'channel_mismatch', 'status_mismatch')),
    payment_intent uuid NOT NULL,
    channel text NOT NULL,
    trade_no text NOT NULL,
    expected text NOT NULL,
    actual text NOT NULL,
    created_at timestamptz(3) NOT NULL
  )`,
  `CREATE INDEX discrepancies_account ON discrepancies (account_id, id)`,
]

const webhooks = [
  `CREATE TABLE events (
    id uuid PRIMARY KEY,
    version integer NOT NULL CHECK (version >= 1),
    account_id uuid NOT NULL,
    type text NOT NULL,
    service_id uuid NOT NULL,
    subject_id text NOT NULL,
    data json NOT NULL CHECK (json_typeof(data) = 'object'),
    created_at timestamptz(3) NOT NULL,
    due_at timestamptz(3),
    lease_until timestamptz(3)
  )`,
  `CREATE INDEX events_account ON events (account_id, id)`,
  `CREATE INDEX events_due ON events (due_at, id) WHERE due_at IS NOT NULL`,
  `CREATE TABLE deliveries (
    id uuid PRIMARY KEY,
    version integer NOT NULL CHECK (version >= 1),
    account_id uuid NOT NULL,
    event_id uuid NOT NULL,
    event_type text NOT NULL,
    service_id uuid NOT NULL,
    url text NOT NULL,
    status text NOT NULL CHECK (status IN ('pending', 'delivered', 'failed', 'skipped')),
    attempts json NOT NULL CHECK (json_typeof(attempts) = 'array'),
    created_at timestamptz(3) NOT NULL,
    due_at timestamptz(3),
    lease_until timestamptz(3),
    CHECK (status = 'pending' OR due_at IS NULL)
  )`,
  `CREATE INDEX deliveries_account ON deliveries (account_id, id)`,
  `CREATE INDEX deliveries_due ON deliveries (due_at, id) WHERE due_at IS NOT NULL`,
]

const rest = [
  `CREATE TABLE replies (
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
  `CREATE INDEX replies_over ON replies (expires_at)`,
  `CREATE TABLE claimed_keys (key text COLLATE "C" PRIMARY KEY, owner text NOT NULL)`,
  `CREATE INDEX claimed_keys_owner ON claimed_keys (owner)`,
  `CREATE TABLE counters (counter text COLLATE "C" PRIMARY KEY, value bigint NOT NULL)`,
  `CREATE TABLE documents (
    scope text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    version integer NOT NULL CHECK (version >= 1),
    body json NOT NULL,
    due_at timestamptz(3),
    PRIMARY KEY (scope, id)
  )`,
  `CREATE INDEX documents_due ON documents (scope, due_at, id) WHERE due_at IS NOT NULL`,
]

/** The records, the second wall around them, and what keeps commits apart. */
export const foundation: Migration = {
  id: 1,
  name: "foundation",
  statements: [...accounts, ...services, ...intents, ...channels, ...webhooks, ...rest],
}
