import { Effect } from "effect"
import type { RateLeases } from "../../core/ports/RateLeases.ts"
import { type Database, run } from "./database.ts"
import { measuredLeases } from "./measures.ts"
import { bareId } from "./tables/codecs.ts"

/** The number of rows per statement. */
const BATCH = 1_000

/** The statements for rate windows. */
export const RATE_SQL = {
  // Rows are written in one order, so that processes never wait for each other in a circle.
  lease: `INSERT INTO payport.rate_windows AS held
      (window_start, account_id, rate_class, taken, most, granted)
    SELECT window_start, account_id, rate_class, least(wanted, most), most, least(wanted, most)
    FROM json_to_recordset($1::json) AS given (window_start timestamptz, account_id uuid,
      rate_class text, wanted int, most int)
    ORDER BY window_start, account_id, rate_class
    ON CONFLICT (window_start, account_id, rate_class) DO UPDATE SET most = excluded.most,
      taken = greatest(held.taken, least(held.taken + excluded.taken, excluded.most)),
      granted = greatest(0, least(excluded.taken, excluded.most - held.taken))
    RETURNING window_start, account_id, rate_class, taken, granted`,
  purge: `DELETE FROM payport.rate_windows WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM payport.rate_windows WHERE window_start < $1 ORDER BY window_start
    LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)) RETURNING 1`,
}

const nameOf = (window: number, account: unknown, rate_class: unknown): string =>
  `${window} ${String(account)} ${String(rate_class)}`

/** How many requests all processes have taken of their rate windows. */
export const postgresRateLeases = (database: Database) => measuredLeases(unmeasured(database))

const unmeasured = ({ leases, work }: Database): RateLeases["Service"] => ({
  lease: (requests) => {
    const given = requests.map(({ account_id, limit, rate_class, wanted, window }) => ({
      window_start: new Date(window),
      account_id: bareId("acct", account_id),
      rate_class,
      wanted,
      most: limit,
    }))
    return Effect.map(run(leases, RATE_SQL.lease, [JSON.stringify(given)]), (rows) => {
      const found = new Map(
        rows.map((row) => [
          nameOf((row["window_start"] as Date).getTime(), row["account_id"], row["rate_class"]),
          row,
        ]),
      )
      return given.map(({ account_id, most, rate_class, window_start }) => {
        const row = found.get(nameOf(window_start.getTime(), account_id, rate_class))
        const taken = Number(row?.["taken"] ?? most)
        return { granted: Number(row?.["granted"] ?? 0), left: Math.max(0, most - taken) }
      })
    })
  },
  purge: Effect.fnUntraced(function* (before) {
    let purged = 0
    while (true) {
      const { length } = yield* run(work, RATE_SQL.purge, [new Date(before)])
      purged += length
      if (length < BATCH) return purged
    }
  }),
})
