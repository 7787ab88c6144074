import { Effect } from "effect"
import type { Store } from "../../core/ports/Store.ts"
import { BATCH, inBatches } from "./batches.ts"
import { ask, type Database, run } from "./database.ts"
import { eraseAccount } from "./eraseAccount.ts"

type Upkeep = Pick<
  Store["Service"],
  "purgeReplies" | "oldestReply" | "purgeDayCounters" | "eraseAccountData"
>

export const PURGE_SQL = `DELETE FROM payport.replies WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM payport.replies WHERE expires_at <= $1 ORDER BY expires_at
    LIMIT $2 FOR UPDATE SKIP LOCKED)) RETURNING 1`

export const OLDEST_REPLY_SQL = `SELECT created_at FROM payport.replies ORDER BY expires_at LIMIT 1`

/** Removes counters of past days. A commit that waits for one of them is decided again. */
export const PURGE_COUNTERS_SQL = `DELETE FROM payport.counters WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM payport.counters WHERE counter LIKE '%:____-__-__'
      AND right(counter, 10) COLLATE "C" < $1 AND starts_with(counter, $2)
    ORDER BY right(counter, 10) COLLATE "C"
    LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)) RETURNING 1`

/** Removes what is over, and accounts' data. */
export const upkeep = (
  { work }: Database,
  forget: (ids: ReadonlyArray<string>) => void,
): Upkeep => {
  return {
    purgeReplies: (now, limit) =>
      Effect.map(run(work, PURGE_SQL, [new Date(now), limit]), ({ length }) => length),
    oldestReply: () =>
      Effect.map(ask(work, OLDEST_REPLY_SQL, []), ([row]) =>
        (row?.["created_at"] as Date | undefined)?.getTime(),
      ),
    purgeDayCounters: (prefix, day) => inBatches(work, PURGE_COUNTERS_SQL, [day, prefix]),
    eraseAccountData: (accountId) => eraseAccount(work, forget, accountId),
  }
}
