/**
 * The number of rows in most tables. A plan that uses an index here also does so among 100,000
 * rows: the table is five times as large there, and the index finds no more rows.
 */
const ROWS = 20_000

/** The number of services: a smaller table is read faster without an index. */
const SERVICES = 100_000

const uuid = (n: string) =>
  `('019b7726-0000-7000-8000-' || lpad(to_hex((${n})::bigint), 12, '0'))::uuid`

const at = (n: string) => `timestamptz '2026-01-01 00:00:00Z' + (${n}) * interval '1 second'`

/** Due soon for one row in twenty, as it is in a store that keeps up. */
const due = `CASE WHEN n % 20 = 0 THEN ${at("n")} END`

const series = `generate_series(1, ${ROWS}) AS n`

/** The search vectors of the texts, made once and not for every service. */
const vectors = (text: string, weight: string, count: number) =>
  `SELECT array_agg(setweight(to_tsvector('simple', ${text}), '${weight}') ORDER BY n)
    FROM generate_series(0, ${count - 1}) AS n`

/** The schema's indexes that guard no constraint. */
const INDEXES = `SELECT indexrelid FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
  WHERE relnamespace = 'payport'::regnamespace
    AND indexrelid NOT IN (SELECT conindid FROM pg_constraint)`

/** Rows go in much faster without a log and without indexes, which are built afterwards. */
const MAKE_READY = `DO $$
  DECLARE one text;
  BEGIN
    CREATE TEMPORARY TABLE set_aside AS
      SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
      FROM (${INDEXES}) AS indexes;
    FOR one IN SELECT name FROM set_aside LOOP EXECUTE 'DROP INDEX ' || one; END LOOP;
    FOR one IN SELECT tablename FROM pg_tables WHERE schemaname = 'payport'
    LOOP EXECUTE format('ALTER TABLE %I SET UNLOGGED', one); END LOOP;
    SET maintenance_work_mem = '256MB';
  END $$`

const BUILD_INDEXES = `DO $$
  DECLARE one text;
  BEGIN
    FOR one IN SELECT definition FROM set_aside LOOP EXECUTE one; END LOOP;
    RESET maintenance_work_mem;
  END $$`

/** Fills an empty database, set by set, with rows spread over 1,000 accounts. */
export const SEED: ReadonlyArray<string> = [
  MAKE_READY,
  `INSERT INTO accounts (id, version, name, kind, agent_id, merchant_account, plan,
      webhook_secret, created_at, previous_webhook_secrets)
    SELECT ${uuid("n")}, 1, 'Account ' || n, 'seller', 'agent-' || n, NULL,
    'starter', 'sealed', ${at("n")}, '[]' FROM ${series}`,
  `INSERT INTO agents (id, version, account_id, agent_id, level, updated_at, verified)
    SELECT ${uuid("n")}, 1, ${uuid("n % 1000")}, 'agent-' || n, 'basic',
    ${at("n")}, '[]' FROM ${series}`,
  `INSERT INTO verifications (id, version, account_id, agent_id, agent, level, status, sealed,
      confirmed_channels, verified_at, expires_at, noticed, keep_until, created_at, updated_at,
      due_at)
    SELECT ${uuid("n")}, 1, ${uuid("n % 1000")}, 'agent', ${uuid("n / 4")}, 'enhanced', 'verified',
      'sealed', '{}', ${at("n")}, ${at("n + 31536000")}, false, ${at("n + 157852800")},
      ${at("n")}, ${at("n")}, ${at("n + 31536000")} FROM ${series}`,
  `INSERT INTO appeals (id, version, account_id, verification_id, status, estimated_resolution,
      resolved_at, created_at, updated_at)
    SELECT ${uuid("n")}, 1, ${uuid("n % 1000")}, ${uuid("n")}, 'under_review',
    ${at("n + 172800")}, NULL, ${at("n")}, ${at("n")} FROM ${series}`,
  `INSERT INTO otp_allowances (id, version, sent, locked_until, due_at)
    SELECT ${uuid("n")}, 1, '[]', NULL, ${due} FROM ${series}`,
  `INSERT INTO installs (id, version, account_id, service_id, agent_id, auto_pay_limit,
      channel_preference, channels, spend_cap, spend_cap_in_force, budget_alerts, mandate,
      created_at, updated_at)
    SELECT ${uuid("n")}, 1, ${uuid("n % 1000")}, ${uuid("n % 500")}, 'agent',
    '{"currency":"USD","value":500}', NULL, '{}', NULL, NULL, '[]', NULL, ${at("n")}, ${at("n")}
    FROM ${series}`,
  `INSERT INTO mandates (id, version, account_id, install_id, service_id, agent_id, channel,
      auto_pay_limit, spend_cap, approval_url, asks, status, approved_at, revoked_at, created_at,
      due_at)
    SELECT ${uuid("n")}, 1, ${uuid("n % 1000")}, ${uuid("n")},
    ${uuid("n % 500")}, 'agent', 'wallet_a', '{"currency":"USD","value":500}', NULL, NULL, 0,
    CASE WHEN n % 20 = 0 THEN 'pending' ELSE 'active' END,
    CASE WHEN n % 20 > 0 THEN ${at("n")} END, NULL, ${at("n")}, ${due} FROM ${series}`,
  `INSERT INTO challenges (id, version, account_id, service_id, amount_currency, amount_value,
      resource, token_hash, valid_seconds, payment_identifier, redeemed_at, created_at,
      expires_at, due_at)
    SELECT ${uuid("n")}, 1, ${uuid("n % 1000")}, ${uuid("n % 500")}, 'USD',
    699, 'GET /answers/' || n, lpad(to_hex(n), 64, '0'), NULL,
    CASE WHEN n % 10 = 0 THEN 'purchase_' || lpad(n::text, 9, '0') END, NULL, ${at("n")},
    ${at("n + 900")}, ${due} FROM ${series}`,
  `INSERT INTO feeds (id, version, consumer, about, waiting, failures, created_at, due_at)
    SELECT ${uuid("n")}, 1, 'orders', 'pi_' || ${uuid("n")}, ARRAY['evt_' || ${uuid("n")}], 0,
    ${at("n")}, ${due} FROM ${series}`,
  `INSERT INTO consumer_lists (id, version, names, created_at)
    SELECT ${uuid("n")}, 1, '{orders}', ${at("n")} FROM ${series}`,
  `INSERT INTO api_keys (id, version, account_id, hash, hint, created_at)
    SELECT ${uuid("n")}, 1, ${uuid("n % 1000")},
    lpad(to_hex(n), 64, '0'), 'sk_test_', ${at("n")} FROM ${series}`,
  `INSERT INTO log_entries (id, version, account_id, at, actor, action, target, details)
    SELECT ${uuid("n")}, 1, ${uuid("n % 1000")}, ${at("n")}, 'operator', 'api_key.created',
    'key', '{}' FROM ${series}`,
  `INSERT INTO services (id, version, account_id, name, name_key, description, payment_methods,
      one_time, cumulative, subscription, pricing, accepted_channels, qr_mode,
      settlement_currency, endpoint, tags, status, created_at, updated_at, pauses, due_at, search)
    SELECT ${uuid("n")}, 1, ${uuid("n % 1000")}, 'Service ' || n, 'service ' || n,
      repeat('Answers questions of topic ' || n % 500 || '. ', 10),
      '{"one_time":true}', true, n % 3 = 0, n % 50 = 0,
      '{"one_time":[{"amount":699,"currency":"USD","label":"One"}]}',
      CASE WHEN n % 100 = 0 THEN '{wallet_f}' ELSE '{wallet_a,wallet_b}' END::text[], 'dynamic',
      'USD', 'https://seller.example/hooks', ARRAY['tag' || n % 1000],
      CASE n % 10 WHEN 0 THEN 'draft' WHEN 1 THEN 'paused' ELSE 'active' END,
      ${at("n")}, ${at("n")}, '[]', NULL,
      setweight(to_tsvector('simple', 'service ' || n), 'A')
      || tags[n % 1000 + 1] || topics[n % 500 + 1]
    FROM generate_series(1, ${SERVICES}) AS n,
      (${vectors("'tag' || n", "B", 1_000)}) AS of_tags (tags),
      (${vectors("'answers questions of topic ' || n", "C", 500)}) AS of_topics (topics)`,
  `INSERT INTO payment_intents (id, version, flow, status, account_id, payee_account_id,
      payer_account_id, service_id, amount_currency, amount_value, settlement_currency,
      settlement_value, settlement_rate, description, payee_agent_id, channel, trade_no, offers,
      qr_charge_id, scanned_at, authorized_at, captured_at, succeeded_at, channel_txn_id,
      created_at, expires_at, due_at, refunded_value, refunded_settlement, refunded_fx_spread,
      refunded_service_fee, partial_refunds)
    SELECT ${uuid("n")}, 1, 'request_payment', CASE WHEN n % 20 = 0 THEN 'qr_generated'
        ELSE 'succeeded' END, ${uuid("n % 1000")}, ${uuid("n % 1000 + 1")}, ${uuid("n % 1000 + 2")},
      ${uuid("n % 500")}, 'USD', 699, 'USD', 699, 1, 'One answer', 'agent', 'wallet_a',
      CASE WHEN n % 20 > 0 THEN 'trade-' || n END, '[]', ${uuid("n")},
      ${["1", "2", "3", "4"].map((s) => `CASE WHEN n % 20 > 0 THEN ${at(`n + ${s}`)} END`).join()},
      CASE WHEN n % 20 > 0 THEN 'trade-' || n END, ${at("n")}, ${at("n + 900")},
      CASE WHEN n % 20 = 0 THEN ${at("n + 900")} END, 0, 0, 0, 0, 0 FROM ${series}`,
  `INSERT INTO channel_requests (id, version, payment_intent, account_id, channel, action,
      charge_id, trade_no, amount_currency, amount_value, status, attempts, failure, created_at,
      due_at)
    SELECT ${uuid("n")}, 1, ${uuid("n")}, ${uuid("n % 1000")},
    'wallet_a', 'capture', 'qr', NULL, 'USD', 699, CASE WHEN n % 20 = 0 THEN 'outstanding'
    ELSE 'done' END, 1, NULL, ${at("n")}, ${due} FROM ${series}`,
  `INSERT INTO callbacks (id, version, account_id, payment_intent, channel, about, number, status,
      result, times, created_at, last_at)
    SELECT ${uuid("n")}, 1, ${uuid("n % 1000")}, ${uuid("n / 2")}, 'wallet_a', 'charge', 'trade',
      'AUTHORIZED', 'acted_on', 1, ${at("n")}, ${at("n")} FROM ${series}`,
  `INSERT INTO console_sessions (id, version, created_at)
    SELECT ${uuid("n")}, 1, ${at("n")} FROM ${series}`,
  `INSERT INTO refunds (id, version, status, payment_intent, account_id, payee_account_id,
      service_id, amount_currency, amount_value, settlement_currency, settlement_value,
      fx_spread, service_fee, partial, channel, channel_request, created_at, updated_at)
    SELECT ${uuid("n")}, 1, 'pending', ${uuid("n / 4")}, ${uuid("n % 1000")},
      ${uuid("n % 1000 + 1")}, ${uuid("n % 500")}, 'USD', 100, 'USD', 100, 0, 0, true, 'wallet_a',
      ${uuid("n")}, ${at("n")}, ${at("n")} FROM ${series}`,
  `INSERT INTO refund_requests (id, version, status, payment_intent, account_id, payee_account_id,
      service_id, amount_currency, amount_value, reason, created_at, updated_at, expires_at, due_at)
    SELECT ${uuid("n")}, 1, 'open', ${uuid("n")}, ${uuid("n % 1000")}, ${uuid("n % 1000 + 1")},
      ${uuid("n % 500")}, 'USD', 100, 'Late', ${at("n")}, ${at("n")}, ${at("n + 900")},
      ${at("n + 900")} FROM ${series}`,
  `INSERT INTO discrepancies (id, version, account_id, kind, payment_intent, channel, trade_no,
      expected, actual, created_at, run)
    SELECT ${uuid("n")}, 1, ${uuid("n % 1000")}, 'late_payment',
    ${uuid("n")}, 'wallet_a', 'trade', 'expired', 'SUCCESS', ${at("n")},
    CASE WHEN n % 2 = 0 THEN ${uuid("n % 1000")} END FROM ${series}`,
  `INSERT INTO reconciliation_runs (id, version, day, channel, runs, attempts, failure, result,
      completed_at, due_at)
    SELECT ${uuid("n")}, 1, to_char(date '2000-01-01' + n::integer / 10, 'YYYY-MM-DD'),
      'wallet_' || n % 10, 1, 0, NULL, '{}', ${at("n")}, ${due} FROM ${series}`,
  `INSERT INTO rate_windows (window_start, account_id, rate_class, taken, most)
    SELECT ${at("60 * (n / 1000)")}, ${uuid("n % 1000")}, 'standard', 5, 100
    FROM ${series}`,
  `INSERT INTO billing_cycles (id, version, account_id, month, opened_at, plans, due_at)
    SELECT ${uuid("n")}, 1, ${uuid("n")}, '2026-01', ${at("n")},
    '[{}]', ${due} FROM ${series}`,
  `INSERT INTO statements (id, version, account_id, month, bill, created_at)
    SELECT ${uuid("n")}, 1, ${uuid("n % 1000")},
    to_char(date '2000-01-01' + (n / 1000)::integer * interval '1 month', 'YYYY-MM'), '{}',
    ${at("n")} FROM ${series}`,
  `INSERT INTO events (id, version, account_id, type, service_id, subject_id, data, created_at,
      due_at)
    SELECT ${uuid("n")}, 1, ${uuid("n % 1000")}, 'payment_intent.succeeded',
    ${uuid("n % 500")}, 'pi', '{}', ${at("n")}, ${due} FROM ${series}`,
  `INSERT INTO deliveries (id, version, account_id, event_id, event_type, endpoint_id, service_id,
      url, status, attempts, first_retry, created_at, due_at)
    SELECT ${uuid("n")}, 1, ${uuid("n % 1000")}, ${uuid("n")}, 'payment_intent.succeeded',
      CASE WHEN n % 2 = 0 THEN ${uuid("n % 500")} END,
      CASE WHEN n % 2 = 1 THEN ${uuid("n % 500")} END, 'https://seller.example/hooks',
      CASE WHEN n % 20 = 0 THEN 'pending' ELSE 'delivered' END, '[]', 0, ${at("n")}, ${due}
    FROM ${series}`,
  `INSERT INTO postings (id, journal, kind, account_id, ledger_account, channel, currency, amount,
      payment_intent, created_at)
    SELECT ${uuid("2 * n + side")}, ${uuid("n")}, 'captured', ${uuid("n % 1000")},
      (ARRAY['channel_clearing', 'payer_clearing'])[side + 1], 'wallet_' || n % 7, 'USD',
      699 - 2 * 699 * side, ${uuid("n")}, ${at("n * 30")}
    FROM ${series}, generate_series(0, 1) AS side`,
  `INSERT INTO ledger_closings SELECT ${uuid("n")}, ${uuid("n")}
    FROM generate_series(0, 999, 2) AS n`,
  `INSERT INTO fee_days (id, version, account_id, day, currency, taken, created_at, due_at)
    SELECT ${uuid("n")}, 1, ${uuid("n % 1000")}, '2026-01-01', 'USD', 0,
    ${at("n")}, ${due} FROM ${series}`,
  `INSERT INTO endpoints (id, version, account_id, place, url, enabled_events, status, secret,
      previous_secrets, created_at, updated_at)
    SELECT ${uuid("n")}, 1, ${uuid("n % 4000")}, n / 4000 + 1, 'https://seller.example/hooks',
      '{*}', 'enabled', 'sealed', '[]', ${at("n")}, ${at("n")} FROM ${series}`,
  `INSERT INTO webhook_keys (id, version, account_id, key_type, public_key, fingerprint, label,
      created_at, place)
    SELECT ${uuid("n")}, 1, ${uuid("n % 10000")}, 'x25519',
    'hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo=', 'fp_0123456789abcdef', NULL, ${at("n")},
    n / 10000 + 1 FROM ${series}`,
  `INSERT INTO listings (id, version, account_id, service_id, place, key, resource, probe_url,
      method, amount_currency, amount_value, paid_currency, paid_value, offered, standing, since,
      reason, seen, misses, probed_at, mentioned_at, created_at, updated_at, due_at)
    SELECT ${uuid("n")}, 1, ${uuid("n % 1000")}, ${uuid("n % 5000")}, n / 1000 + 1,
    lpad(to_hex(n), 64, '0'), 'https://shop.example/' || n, 'https://shop.example/' || n, 'GET',
    'USD', 25, 'USD', 25, '{"scheme":"exact","declared":null}',
    CASE WHEN n % 20 = 0 THEN 'silent' ELSE 'live' END, ${at("n")},
    CASE WHEN n % 20 = 0 THEN 'timeout' END, NULL, 0, ${at("n")}, ${at("n")}, ${at("n")},
    ${at("n")}, ${due} FROM ${series}`,
  `INSERT INTO access_items (id, version, account_id, type, item_id, item_key, payment_intent,
      scopes, revoked, created_at)
    SELECT ${uuid("n")}, 1, ${uuid("n % 1000")}, 'session',
    'session ' || n, lpad(to_hex(n), 64, '0'), ${uuid("n / 4")}, '{all}', '[]', ${at("n")}
    FROM ${series}`,
  `INSERT INTO revocations (id, version, account_id, refund, payment_intent, service_id, position,
      batch_size, target_type, target_id, scope, notify, strict, status, attempts, revoked_at,
      created_at, due_at)
    SELECT ${uuid("n")}, 1, ${uuid("n % 1000")}, ${uuid("n / 4")}, ${uuid("n / 4")},
      ${uuid("n % 500")}, n % 4, 4, 'session', 'session ' || n,
      CASE WHEN n % 2 = 0 THEN 'all' ELSE 'read:detail' END, true, false, 'revoked', 1,
      ${at("n")}, ${at("n")}, ${at("n + 7776000")} FROM ${series}`,
  `INSERT INTO subscriptions (id, version, status, account_id, payee_account_id, service_id,
      plan_id, plan_name, interval, amount_currency, amount_value, payer_agent_id,
      payer_human_id, anchor_at, period, current_period_start, current_period_end,
      cancel_at_period_end, latest_invoice, past_due_at, cancelled_at, cancel_reason, created_at,
      due_at)
    SELECT ${uuid("n")}, 1, 'active', ${uuid("n % 1000")}, ${uuid("n % 1000 + 1")},
      ${uuid("n % 500")}, 'pro', 'Pro', 'monthly', 'USD', 1999, 'agent', NULL, ${at("n")}, 0,
      ${at("n")}, ${at("n + 60")}, false, ${uuid("n")}, NULL, NULL, NULL, ${at("n")},
      ${at("n + 60")}
    FROM ${series}`,
  `INSERT INTO invoices (id, version, status, account_id, payee_account_id, service_id,
      subscription, tab, payer_agent_id, payer_human_id, lines, amount_currency, amount_value,
      collection, payment_intent, period, period_start, period_end, pay_by, paid_at, created_at,
      due_at)
    SELECT ${uuid("n")}, 1, CASE WHEN n % 5 = 0 THEN 'open' ELSE 'paid' END, ${uuid("n % 1000")},
      ${uuid("n % 1000 + 1")}, ${uuid("n % 500")}, ${uuid("n / 4")}, NULL, 'agent', NULL, '[]',
      'USD', 1999, 'asked', ${uuid("n")}, n % 4, ${at("n")}, ${at("n + 60")}, ${at("n + 60")},
      CASE WHEN n % 5 > 0 THEN ${at("n")} END, ${at("n")}, CASE WHEN n % 5 = 0 THEN ${at("n")} END
    FROM ${series}`,
  `INSERT INTO tabs (id, version, status, account_id, payee_account_id, service_id, agent_id,
      unit, rate, currency, billing_cycle, anchor_at, base, period, period_start, period_end,
      stopped, created_at, due_at)
    SELECT ${uuid("n")}, 1, 'open', ${uuid("n % 1000")}, ${uuid("n % 1000 + 1")},
      ${uuid("n % 500")}, 'agent', 'request', 0.25, 'USD', 'monthly', ${at("n")}, 0, 0, ${at("n")},
      ${at("n + 60")}, '[]', ${at("n")}, ${at("n + 60")} FROM ${series}`,
  `INSERT INTO usage_records (id, version, account_id, service_id, tab, period, agent_id,
      quantity, occurred_at, idempotency_key, created_at)
    SELECT ${uuid("n")}, 1, ${uuid("n % 1000")}, ${uuid("n % 500")}, ${uuid("n % 2000")}, n % 4,
      'agent', 2.5, ${at("n")}, 'key ' || n, ${at("n")} FROM ${series}`,
  `INSERT INTO quotes (id, version, account_id, service_id, amount_currency, amount_value,
      settlement_currency, routes, payment_intent, created_at, expires_at, due_at)
    SELECT ${uuid("n")}, 1, ${uuid("n % 1000")}, NULL, 'USD', 699, 'EUR', '[]',
    NULL, ${at("n")}, ${at("n + 60")}, ${due} FROM ${series}`,
  `INSERT INTO replies (account_id, key, fingerprint, holder, answer, lease_until, created_at,
      expires_at)
    SELECT ${uuid("n % 1000")}, 'retry-' || n, 'print', 'holder', 'answer',
    ${at("n")}, ${at("n")}, ${at("n + 86400")} FROM ${series}`,
  `INSERT INTO claimed_keys SELECT 'key ' || n, 'owner ' || n FROM ${series}`,
  `INSERT INTO counters SELECT 'kyc_day:' || n || ':' ||
    to_char(date '2026-01-01' + n::integer / 10, 'YYYY-MM-DD'), n FROM ${series}`,
  "ALTER TABLE audit_entries DISABLE TRIGGER audit_chained",
  `INSERT INTO audit_entries
      (id, sequence, previous_hash, hash, signature, action, actor, target, content)
    SELECT ${uuid("n")}, n, repeat('0', 64), repeat('0', 64), repeat('A', 86),
      'account.created', 'operator', ${uuid("n")}::text,
      json_build_object('id', 'aud_' || ${uuid("n")}, 'action', 'account.created',
        'actor', 'operator', 'target', ${uuid("n")}::text)::text
    FROM generate_series(1, 300) AS n`,
  `INSERT INTO documents (scope, id, version, body, due_at)
    SELECT 'scope ' || n % 1000, 'id ' || n, 1, '{}', ${due} FROM ${series}`,
  BUILD_INDEXES,
  "VACUUM ANALYZE",
]
