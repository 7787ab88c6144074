-- The least that a payment service has to keep: whom a payment is for, the payment itself, the
-- answer to its Idempotency-Key, and what is to be told about it.
DROP SCHEMA IF EXISTS public CASCADE;
CREATE SCHEMA public;

CREATE TABLE services (
  id uuid PRIMARY KEY,
  name text,
  default_channel text,
  settlement_currency text,
  payee_agent_id text,
  merchant_account text,
  status text
);

INSERT INTO services VALUES (
  '01997d3e-8a00-7000-8000-0000000000a1', 'Research papers in brief', 'wallet_a', 'USD',
  'agent_of_seller', 'merchant_of_seller', 'active');

CREATE TABLE payment_intents (
  id uuid PRIMARY KEY,
  service_id uuid NOT NULL,
  owner_key_id text NOT NULL,
  type text NOT NULL,
  amount_currency text NOT NULL,
  amount_value bigint NOT NULL CHECK (amount_value > 0),
  settlement_currency text NOT NULL,
  settlement_value bigint NOT NULL,
  settlement_rate numeric NOT NULL,
  description text NOT NULL,
  payer_agent_id text,
  payer_human_id text,
  payer_wallet_id text,
  payee_agent_id text,
  payee_merchant_account text,
  channel text NOT NULL,
  qr_charge_id text,
  qr_scan_url text,
  return_url text,
  status text NOT NULL,
  scanned_at timestamptz,
  authorized_at timestamptz,
  captured_at timestamptz,
  succeeded_at timestamptz,
  channel_txn_id text,
  failure_code text,
  failure_message text,
  auto_paid boolean NOT NULL DEFAULT false,
  metadata jsonb,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  version int NOT NULL DEFAULT 1
);

CREATE INDEX payment_intents_of_service ON payment_intents (service_id, created_at);

CREATE INDEX payment_intents_expiring ON payment_intents (expires_at)
  WHERE status IN ('pending', 'qr_generated', 'scanning', 'authorized');

CREATE TABLE idempotency_keys (
  owner_key_id text NOT NULL,
  key uuid NOT NULL,
  request_hash bytea NOT NULL,
  intent_id uuid NOT NULL,
  response_status int,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (owner_key_id, key)
);

CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  type text NOT NULL,
  intent_id uuid NOT NULL,
  payload jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  dispatched_at timestamptz
);

CREATE INDEX outbox_waiting ON outbox (id) WHERE dispatched_at IS NULL;
