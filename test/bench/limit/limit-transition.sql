-- One step of a payment, durable when the statement answers: its new state and the outgoing event.
\set number random(1, 200000)
WITH moved AS (
  UPDATE payment_intents
  SET status = CASE status WHEN 'scanning' THEN 'authorized' ELSE 'scanning' END,
    authorized_at = now(), version = version + 1
  WHERE id = ('01997d3e-8a00-7000-9000-' || lpad(to_hex(:number::bigint), 12, '0'))::uuid
  RETURNING id, status, version
)
INSERT INTO outbox (type, intent_id, payload, created_at)
SELECT
  'payment_intent.' || moved.status, moved.id,
  jsonb_build_object('id', moved.id, 'status', moved.status, 'version', moved.version), now()
FROM moved;
