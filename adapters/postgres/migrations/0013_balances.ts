import type { Migration } from "./Migration.ts"

/** The journals are whole, and their days and their accounts' balances are added up. */
const added = `CREATE OR REPLACE FUNCTION payport_postings_added() RETURNS trigger
  LANGUAGE plpgsql AS $payport$
  DECLARE
    flawed uuid;
  BEGIN
    SELECT journal INTO flawed FROM added
    GROUP BY journal, currency HAVING sum(amount) <> 0 LIMIT 1;
    IF flawed IS NOT NULL THEN
      RAISE EXCEPTION 'journal % does not sum to zero', flawed USING ERRCODE = 'check_violation';
    END IF;
    INSERT INTO ledger_totals AS stored
      (account_id, day, channel, currency, ledger_account, kind, amount, count)
    SELECT account_id, day, channel, currency, ledger_account, kind, sum(amount), count(*)
    FROM (SELECT account_id, amount,
        to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') COLLATE "C" AS day,
        coalesce(channel, '') COLLATE "C" AS channel, currency COLLATE "C" AS currency,
        ledger_account COLLATE "C" AS ledger_account, kind COLLATE "C" AS kind
      FROM added) AS given
    GROUP BY account_id, day, channel, currency, ledger_account, kind
    ORDER BY account_id, day, channel, currency, ledger_account, kind
    ON CONFLICT (account_id, day, channel, currency, ledger_account, kind) DO UPDATE
      SET amount = stored.amount + excluded.amount, count = stored.count + excluded.count;
    INSERT INTO ledger_balances AS stored
      (account_id, currency, ledger_account, kind, amount, count)
    SELECT account_id, currency COLLATE "C", ledger_account COLLATE "C", kind COLLATE "C",
      sum(amount), count(*)
    FROM added GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (account_id, currency, ledger_account, kind) DO UPDATE
      SET amount = stored.amount + excluded.amount, count = stored.count + excluded.count;
    RETURN NULL;
  END $payport$`

/**
 * What an account's books sum up to since they were opened: read at once, however many days there
 * have been. Nothing is posted between what is there being added up and what comes being added.
 */
export const balances: Migration = {
  id: 13,
  name: "balances",
  statements: [
    // Rows that are written again and again find room beside themselves.
    `CREATE TABLE ledger_balances (
      account_id uuid NOT NULL,
      currency text COLLATE "C" NOT NULL,
      ledger_account text COLLATE "C" NOT NULL,
      kind text COLLATE "C" NOT NULL,
      amount bigint NOT NULL,
      count bigint NOT NULL CHECK (count >= 1),
      PRIMARY KEY (account_id, currency, ledger_account, kind)
    ) WITH (fillfactor = 50)`,
    `LOCK TABLE postings IN SHARE ROW EXCLUSIVE MODE`,
    `INSERT INTO ledger_balances (account_id, currency, ledger_account, kind, amount, count)
      SELECT account_id, currency, ledger_account, kind, sum(amount), sum(count)
      FROM ledger_totals GROUP BY account_id, currency, ledger_account, kind`,
    added,
  ],
}
