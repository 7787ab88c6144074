import { JOURNAL_KINDS, LEDGER_ACCOUNTS } from "../../../core/ledger/Posting.ts"
import { functionsOf, withOwnersRights } from "./withOwnersRights.ts"

const list = (words: ReadonlyArray<string>): string => words.map((word) => `'${word}'`).join(", ")

const tables = [
  `CREATE TABLE payport.postings (
    id uuid PRIMARY KEY,
    journal uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN (${list(JOURNAL_KINDS)})),
    account_id uuid NOT NULL,
    ledger_account text NOT NULL CHECK (ledger_account IN (${list(LEDGER_ACCOUNTS)})),
    channel text,
    currency text NOT NULL CHECK (length(currency) = 3),
    amount bigint NOT NULL
      CHECK (amount <> 0 AND amount BETWEEN -9007199254740991 AND 9007199254740991),
    payment_intent uuid,
    refund text,
    created_at timestamptz(3) NOT NULL
  )`,
  `CREATE INDEX postings_account ON payport.postings (account_id, id)`,
  `CREATE INDEX postings_intent ON payport.postings (payment_intent, id)
    WHERE payment_intent IS NOT NULL`,
  // Pages keep free space for new versions of rows that are updated often.
  `CREATE TABLE payport.ledger_totals (
    account_id uuid NOT NULL,
    day text COLLATE "C" NOT NULL,
    channel text COLLATE "C" NOT NULL,
    currency text COLLATE "C" NOT NULL,
    ledger_account text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    amount bigint NOT NULL,
    count bigint NOT NULL CHECK (count >= 1),
    PRIMARY KEY (account_id, day, channel, currency, ledger_account, kind)
  ) WITH (fillfactor = 50)`,
  `CREATE TABLE payport.ledger_closings (account_id uuid PRIMARY KEY, last_posting uuid NOT NULL)`,
  // One row per payment and one per refund. The other rows of a journal are in no statement.
  `CREATE INDEX postings_clearing ON payport.postings (channel, created_at, id)
    WHERE ledger_account = 'channel_clearing'`,
  // The sums of an account's books since they were opened, over any number of days.
  `CREATE TABLE payport.ledger_balances (
    account_id uuid NOT NULL,
    currency text COLLATE "C" NOT NULL,
    ledger_account text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    amount bigint NOT NULL,
    count bigint NOT NULL CHECK (count >= 1),
    PRIMARY KEY (account_id, currency, ledger_account, kind)
  ) WITH (fillfactor = 50)`,
]

/** Checks that a journal is complete, and adds up its day and its account, for every writer. */
const balance = [
  `CREATE FUNCTION payport.payport_postings_added() RETURNS trigger
  LANGUAGE plpgsql AS $payport$
  DECLARE
    flawed uuid;
  BEGIN
    SELECT journal INTO flawed FROM added
    GROUP BY journal, currency HAVING sum(amount) <> 0 LIMIT 1;
    IF flawed IS NOT NULL THEN
      RAISE EXCEPTION 'journal % does not sum to zero', flawed USING ERRCODE = 'check_violation';
    END IF;
    INSERT INTO payport.ledger_totals AS stored
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
    INSERT INTO payport.ledger_balances AS stored
      (account_id, currency, ledger_account, kind, amount, count)
    SELECT account_id, currency COLLATE "C", ledger_account COLLATE "C", kind COLLATE "C",
      sum(amount), count(*)
    FROM added GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (account_id, currency, ledger_account, kind) DO UPDATE
      SET amount = stored.amount + excluded.amount, count = stored.count + excluded.count;
    RETURN NULL;
  END $payport$`,
  `CREATE TRIGGER postings_added AFTER INSERT ON payport.postings
    REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION payport.payport_postings_added()`,
  `ALTER TABLE payport.postings ENABLE ALWAYS TRIGGER postings_added`,
  withOwnersRights("payport_postings_added()"),
]

/** Closes an account's books. Rows of the ledger stay. New books begin after the last row. */
export const CLOSE_BOOKS = `WITH last AS (
    SELECT id FROM payport.postings WHERE account_id = $1 ORDER BY id DESC LIMIT 1),
  closed AS (
    INSERT INTO payport.ledger_closings (account_id, last_posting) SELECT $1, id FROM last
    ON CONFLICT (account_id) DO UPDATE SET last_posting = excluded.last_posting),
  summed AS (DELETE FROM payport.ledger_balances WHERE account_id = $1)
  DELETE FROM payport.ledger_totals WHERE account_id = $1`

const close = [
  `CREATE FUNCTION payport.payport_close_books(account uuid) RETURNS void LANGUAGE sql
    AS $payport$${CLOSE_BOOKS}$payport$`,
  withOwnersRights("payport_close_books(uuid)"),
]

const appendOnly = [
  `CREATE FUNCTION payport.payport_postings_kept() RETURNS trigger LANGUAGE plpgsql AS $payport$
  BEGIN
    RAISE EXCEPTION 'rows of the ledger are never changed or removed; post a journal against them'
      USING ERRCODE = 'restrict_violation';
  END $payport$`,
  `CREATE TRIGGER postings_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON payport.postings
    FOR EACH STATEMENT EXECUTE FUNCTION payport.payport_postings_kept()`,
  `ALTER TABLE payport.postings ENABLE ALWAYS TRIGGER postings_kept`,
]

/** The functions of the ledger in this version's form. */
export const LEDGER_FUNCTIONS: ReadonlyArray<string> = functionsOf([
  ...balance,
  ...close,
  ...appendOnly,
])

/** The ledger with the sums of its days and accounts. */
export const LEDGER: ReadonlyArray<string> = [...tables, ...balance, ...close, ...appendOnly]
