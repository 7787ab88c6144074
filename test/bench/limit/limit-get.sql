-- One of the seeded payments, by its key.
\set number random(1, 200000)
SELECT * FROM payment_intents
WHERE id = ('01997d3e-8a00-7000-9000-' || lpad(to_hex(:number::bigint), 12, '0'))::uuid;
