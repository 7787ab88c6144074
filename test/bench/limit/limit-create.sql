-- One creation, durable when the statement answers: takes the Idempotency-Key, and writes payment
-- and outgoing event only if that was free. A run counts from :base, each client on its own.
\set n :n + 1
\set number :base + :n * 64 + :client_id
WITH taken AS (
  INSERT INTO idempotency_keys VALUES (
    'key_of_buyer',
    ('01997d3e-8a00-7000-8000-' || lpad(to_hex(:number::bigint), 12, '0'))::uuid,
    '\x2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae'::bytea,
    ('01997d3e-8a00-7000-8000-' || lpad(to_hex(:number::bigint), 12, '0'))::uuid,
    201,
    now())
  ON CONFLICT DO NOTHING
  RETURNING intent_id
), payment AS (
  INSERT INTO payment_intents (
    id, service_id, owner_key_id, type, amount_currency, amount_value, settlement_currency,
    settlement_value, settlement_rate, description, payer_agent_id, payee_agent_id,
    payee_merchant_account, channel, qr_charge_id, qr_scan_url, return_url, status, metadata,
    created_at, expires_at)
  SELECT
    taken.intent_id, '01997d3e-8a00-7000-8000-0000000000a1'::uuid, 'key_of_buyer', 'one_time',
    'USD', 699, 'USD', 699, 1.0, 'Summary of one research paper', 'agent_of_buyer',
    'agent_of_seller', 'merchant_of_seller', 'wallet_a', 'qr_01997d3e',
    'https://pay.example.test/qr/01997d3e', 'https://merchant.example.test/return', 'pending',
    '{"order_id": "ord_8842", "cart": "c-19", "buyer_note": "leave at the door",
      "region": "eu-west", "attempt": 1}'::jsonb,
    now(), now() + interval '15 min'
  FROM taken
  RETURNING id, status, amount_value, amount_currency, created_at, expires_at
), told AS (
  INSERT INTO outbox (type, intent_id, payload, created_at)
  SELECT
    'payment_intent.created', payment.id,
    jsonb_build_object('id', payment.id, 'status', payment.status, 'amount', payment.amount_value,
      'currency', payment.amount_currency),
    payment.created_at
  FROM payment
)
SELECT * FROM payment;
