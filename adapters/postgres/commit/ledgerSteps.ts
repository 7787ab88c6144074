import { auditEntries } from "../tables/auditEntries.ts"
import { feeDays } from "../tables/feeDays.ts"
import { postings } from "../tables/postings.ts"
import { givenValues, ownRows, rowType } from "./rowSteps.ts"

const FEE_DAYS = `unnest(opened_fee_days::${rowType(feeDays)}[]) AS given`

/**
 * Adds days of fees. Most are stored already, and many commits of a group share one. A day that is
 * being worked on, or was, becomes due again, which stops its worker. The others are locked, so
 * that no worker claims one and takes its fees before those of this commit can be seen.
 */
export const openFeeDays = `
  IF cardinality(opened_fee_days) > 0 THEN
    INSERT INTO payport.${feeDays.name} (${feeDays.columns.map(({ name }) => name).join(", ")})
    SELECT DISTINCT ON (given.id) ${givenValues(feeDays)}
    FROM ${FEE_DAYS} WHERE refused[given.commit_no] IS NULL ORDER BY given.id
    ON CONFLICT (id) DO NOTHING;
    PERFORM FROM payport.${feeDays.name} AS stored
    WHERE stored.id IN (SELECT given.id FROM ${FEE_DAYS} WHERE refused[given.commit_no] IS NULL)
    ORDER BY stored.id FOR KEY SHARE;
    UPDATE payport.${feeDays.name} AS stored
    SET version = stored.version + 1, due_at = given.due_at, lease_until = NULL
    FROM ${FEE_DAYS}
    WHERE stored.id = given.id AND stored.version > 1 AND refused[given.commit_no] IS NULL;
  END IF;`

/** Adds postings. The table's triggers check the journals and add up the days. */
export const insertPostings = `
  IF cardinality(inserted_postings) > 0 THEN
    INSERT INTO payport.postings (${postings.columns.map(({ name }) => name).join(", ")})
    SELECT ${givenValues(postings)}
    FROM ${ownRows(postings)} WHERE refused[given.commit_no] IS NULL;
  END IF;`

/**
 * Adds entries of the audit log, as the last step. The table's trigger locks the head of the chain,
 * and nobody who holds that lock waits for another.
 */
export const insertAuditEntries = `
  IF cardinality(inserted_audit_entries) > 0 THEN
    INSERT INTO payport.audit_entries (${auditEntries.columns.map(({ name }) => name).join(", ")})
    SELECT ${givenValues(auditEntries)}
    FROM ${ownRows(auditEntries)} WHERE refused[given.commit_no] IS NULL
    ORDER BY given.commit_no;
  END IF;`
