import { Effect } from "effect"
import type { Store } from "../../../core/ports/Store.ts"
import { isId } from "../../../core/shared/Id.ts"
import { ask, type Database } from "../database.ts"
import { bareId } from "../tables/codecs.ts"

type Reads = Pick<Store["Service"], "isOthersAccessItem">

/** The SQL of this read. */
export const OTHERS_ITEM_SQL = `SELECT id FROM payport.access_items
  WHERE item_key = $2 AND account_id <> $1::uuid AND payment_intent IS NOT NULL LIMIT 1`

/** Reads access items that payments bought. */
export const revocationReads = ({ reads }: Database): Reads => ({
  isOthersAccessItem: (accountId, itemKey) =>
    isId("acct", accountId)
      ? Effect.map(
          ask(reads, OTHERS_ITEM_SQL, [bareId("acct", accountId), itemKey]),
          (rows) => rows.length > 0,
        )
      : Effect.succeed(false),
})
