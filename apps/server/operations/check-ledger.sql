-- What is wrong with the books: no rows where they are whole. Another schema than payport has to
-- be named here.
SELECT 'journal' AS what, journal::text AS which, currency, sum(amount) AS off_by
  FROM payport.postings GROUP BY journal, currency HAVING sum(amount) <> 0
UNION ALL
SELECT 'day', account_id || ' ' || day, currency, sum(amount) FROM (
    SELECT account_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, currency,
        ledger_account, kind, amount FROM payport.postings
    UNION ALL
    SELECT account_id, day, currency, ledger_account, kind, -amount FROM payport.ledger_totals
  ) AS both_ways
  GROUP BY account_id, day, currency, ledger_account, kind HAVING sum(amount) <> 0;
