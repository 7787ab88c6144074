import { RACED } from "../commit/otherSteps.ts"
import { functionsOf, withOwnersRights } from "./withOwnersRights.ts"

const tables = [
  `CREATE TABLE payport.audit_head (
    single boolean PRIMARY KEY DEFAULT true CHECK (single),
    sequence bigint NOT NULL CHECK (sequence >= 0),
    hash text NOT NULL CHECK (hash ~ '^[0-9a-f]{64}$')
  )`,
  `INSERT INTO payport.audit_head (sequence, hash) VALUES (0, repeat('0', 64))`,
  `CREATE TABLE payport.audit_entries (
    id uuid PRIMARY KEY,
    sequence bigint NOT NULL UNIQUE CHECK (sequence >= 1),
    previous_hash text NOT NULL CHECK (previous_hash ~ '^[0-9a-f]{64}$'),
    hash text NOT NULL CHECK (hash ~ '^[0-9a-f]{64}$'),
    signature text NOT NULL CHECK (signature ~ '^[A-Za-z0-9_-]{86}$'),
    action text NOT NULL,
    actor text NOT NULL,
    target text NOT NULL,
    content text NOT NULL,
    CONSTRAINT audit_entries_columns CHECK (coalesce(
      content::json->>'id' = 'aud_' || id AND content::json->>'action' = action
      AND content::json->>'actor' = actor AND content::json->>'target' = target, false))
  )`,
  `CREATE INDEX audit_entries_action ON payport.audit_entries (action, sequence)`,
  `CREATE INDEX audit_entries_actor ON payport.audit_entries (actor, sequence)`,
  `CREATE INDEX audit_entries_target ON payport.audit_entries (target, sequence)`,
]

/** Chains an entry to the last one and stores its hash, for every writer of the table. */
const chain = [
  `CREATE FUNCTION payport.payport_audit_chained() RETURNS trigger LANGUAGE plpgsql AS $payport$
  DECLARE
    before record;
  BEGIN
    SELECT sequence, hash INTO STRICT before FROM payport.audit_head WHERE single FOR UPDATE;
    IF (NEW.sequence, NEW.previous_hash) IS DISTINCT FROM (before.sequence + 1, before.hash) THEN
      RAISE EXCEPTION 'the audit log has gone on' USING ERRCODE = '${RACED}';
    END IF;
    IF NEW.hash IS DISTINCT FROM encode(sha256(convert_to(
        before.hash || E'\\n' || NEW.sequence || E'\\n' || NEW.content, 'UTF8')), 'hex') THEN
      RAISE EXCEPTION 'an entry of the audit log has another hash'
        USING ERRCODE = 'check_violation';
    END IF;
    UPDATE payport.audit_head SET sequence = NEW.sequence, hash = NEW.hash WHERE single;
    RETURN NEW;
  END $payport$`,
  `CREATE TRIGGER audit_chained BEFORE INSERT ON payport.audit_entries
    FOR EACH ROW EXECUTE FUNCTION payport.payport_audit_chained()`,
  `ALTER TABLE payport.audit_entries ENABLE ALWAYS TRIGGER audit_chained`,
  withOwnersRights("payport_audit_chained()"),
]

const appendOnly = [
  `CREATE FUNCTION payport.payport_audit_kept() RETURNS trigger LANGUAGE plpgsql AS $payport$
  BEGIN
    RAISE EXCEPTION 'entries of the audit log are never changed or removed'
      USING ERRCODE = 'restrict_violation';
  END $payport$`,
  `CREATE TRIGGER audit_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON payport.audit_entries
    FOR EACH STATEMENT EXECUTE FUNCTION payport.payport_audit_kept()`,
  `ALTER TABLE payport.audit_entries ENABLE ALWAYS TRIGGER audit_kept`,
  `CREATE TRIGGER audit_head_kept BEFORE INSERT OR DELETE OR TRUNCATE ON payport.audit_head
    FOR EACH STATEMENT EXECUTE FUNCTION payport.payport_audit_kept()`,
  `ALTER TABLE payport.audit_head ENABLE ALWAYS TRIGGER audit_head_kept`,
  // The head changes only together with an entry.
  `CREATE TRIGGER audit_head_moved BEFORE UPDATE ON payport.audit_head
    FOR EACH STATEMENT WHEN (pg_trigger_depth() < 1) EXECUTE FUNCTION payport.payport_audit_kept()`,
  `ALTER TABLE payport.audit_head ENABLE ALWAYS TRIGGER audit_head_moved`,
]

/** The functions of the audit log in this version's form. */
export const AUDIT_FUNCTIONS: ReadonlyArray<string> = functionsOf([...chain, ...appendOnly])

/** The operators' audit log. */
export const AUDIT: ReadonlyArray<string> = [...tables, ...chain, ...appendOnly]
