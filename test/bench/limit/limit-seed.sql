-- 200,000 payments to read, whose ids end in their number.
INSERT INTO payment_intents (
  id, service_id, owner_key_id, type, amount_currency, amount_value, settlement_currency,
  settlement_value, settlement_rate, description, payer_agent_id, payee_agent_id,
  payee_merchant_account, channel, qr_charge_id, qr_scan_url, return_url, status, metadata,
  created_at, expires_at)
SELECT
  ('01997d3e-8a00-7000-9000-' || lpad(to_hex(n::bigint), 12, '0'))::uuid,
  '01997d3e-8a00-7000-8000-0000000000a1', 'key_of_buyer', 'one_time', 'USD', 699, 'USD', 699, 1.0,
  'Summary of one research paper', 'agent_of_buyer', 'agent_of_seller', 'merchant_of_seller',
  'wallet_a', 'qr_01997d3e', 'https://pay.example.test/qr/01997d3e',
  'https://merchant.example.test/return', 'scanning',
  '{"order_id": "ord_8842", "cart": "c-19", "buyer_note": "leave at the door", "region": "eu-west",
    "attempt": 1}',
  now(), now() + interval '15 min'
FROM generate_series(1, 200000) AS n;

ANALYZE;
