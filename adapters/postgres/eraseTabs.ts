import { periodCounters } from "../../core/invoices/Tab.ts"
import { BATCH, type PartingSql } from "./batches.ts"

const [BEFORE = "", AFTER = ""] = periodCounters("{tab}").split("{tab}")

// Neither statement needs the account `$1`, but a parameter without a use has no type.

/** Removes the use that sellers have reported of the tabs. */
const USE_SQL = `DELETE FROM payport.usage_records WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM payport.usage_records WHERE tab = ANY ($2::text::uuid[])
      AND $1::uuid IS NOT NULL
    LIMIT ${BATCH} FOR UPDATE)) RETURNING id`

/** Removes the counters of the tabs' periods. A name ends in the period's number. */
const COUNTERS_SQL = `DELETE FROM payport.counters WHERE ctid = ANY (ARRAY(
    SELECT counters.ctid FROM unnest($2::text::uuid[]) AS given (tab)
    JOIN payport.counters ON counter >= '${BEFORE}tab_' || tab || '${AFTER}'
      AND counter < '${BEFORE}tab_' || tab || '${AFTER}:'
    WHERE $1::uuid IS NOT NULL
    LIMIT ${BATCH} FOR UPDATE OF counters)) RETURNING counter AS id`

/** How the tabs of an account are erased. A tab that is opened again starts from zero. */
export const TAB_SQL: PartingSql = {
  batch: `SELECT id FROM payport.tabs WHERE account_id = $1::uuid ORDER BY id LIMIT ${BATCH}`,
  belongings: [USE_SQL, COUNTERS_SQL],
  records: `DELETE FROM payport.tabs WHERE account_id = $1::uuid AND id = ANY ($2::text::uuid[])`,
}
