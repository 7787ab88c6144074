import { Clock, Effect } from "effect"
import type { QrCodeQuery } from "../../../core/billing/QrCodeQuery.ts"
import type { Store } from "../../../core/ports/Store.ts"
import { isId } from "../../../core/shared/Id.ts"
import { HOUR } from "../../../core/shared/Timestamp.ts"
import { ask, type ReadPools } from "../database.ts"
import { bareId } from "../tables/codecs.ts"

type Reads = Pick<Store["Service"], "countQrCodes" | "readCounters">

/** The SQL of these reads. */
export const USAGE_SQL = {
  qrCodes: `SELECT coalesce(sum(json_array_length(offers)), 0)::bigint
    + coalesce((SELECT value FROM payport.counters WHERE counter = $5), 0) AS count
    FROM payport.payment_intents WHERE account_id = $1::uuid AND id >= $2::uuid
    AND created_at >= $3 AND created_at < $4`,
  counters: `SELECT counter, value FROM payport.counters WHERE counter = ANY ($1::text[])`,
}

const machine = Clock.Clock.defaultValue()

/**
 * Returns the smallest id of a payment from that time. Ids contain the machine's time. A sandbox's
 * clock may be ahead of that, and is never further ahead than now.
 */
const earliestId = ({ from, now }: QrCodeQuery): string => {
  const ahead = Math.max(0, now - machine.currentTimeMillisUnsafe())
  const time = Math.max(0, from - ahead - HOUR)
  const digits = time.toString(16).padStart(12, "0")
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`
}

/** Reads what accounts have used. */
export const usageReads = ({ reads, work }: ReadPools): Reads => ({
  countQrCodes: (query) => {
    const { account_id, counter, from, to } = query
    if (!isId("acct", account_id)) return Effect.succeed(0)
    const bounds = [earliestId(query), new Date(from), new Date(to), counter]
    return Effect.map(
      ask(work, USAGE_SQL.qrCodes, [bareId("acct", account_id), ...bounds]),
      ([row]) => Number(row?.["count"] ?? 0),
    )
  },
  readCounters: (names) =>
    Effect.map(ask(reads, USAGE_SQL.counters, [names]), (rows) => {
      const values = new Map(rows.map((row) => [row["counter"], Number(row["value"])]))
      return names.map((name) => values.get(name) ?? 0)
    }),
})
