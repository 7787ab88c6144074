import { Clock, Effect } from "effect"
import type { QrCodeQuery } from "../../../core/billing/QrCodeQuery.ts"
import type { Store } from "../../../core/ports/Store.ts"
import { isId } from "../../../core/shared/Id.ts"
import { HOUR } from "../../../core/shared/Timestamp.ts"
import { ask, type ReadPools } from "../database.ts"
import { bareId } from "../tables/codecs.ts"

type Reads = Pick<Store["Service"], "countQrCodes" | "readCounters">

/**
 * The most payments that one statement counts, in a fraction of its time limit. An account can make
 * millions in a month.
 */
const PAGE = 250_000

/** How often payments are counted again because some were removed meanwhile. */
const MOST_COUNTS = 3

/** The SQL of these reads. */
export const USAGE_SQL = {
  // The condition is `account_id = $1 AND id > $2`, written so that only its own index fits.
  qrCodes: `SELECT count(*) AS seen, max(id::text COLLATE "C") AS last,
      coalesce((SELECT value FROM payport.counters WHERE counter = $6), 0) AS removed,
      coalesce(sum(json_array_length(offers))
        FILTER (WHERE created_at >= $3 AND created_at < $4), 0)::bigint AS codes
    FROM (SELECT id, created_at, offers FROM payport.payment_intents
      WHERE (account_id, id) > ($1::uuid, $2::uuid) AND account_id <= $1::uuid
      ORDER BY account_id, id LIMIT $5) AS page`,
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

/**
 * Counts the codes of stored payments, `page` payments at a time, and those of removed ones before
 * and after that.
 */
const countOnce = Effect.fnUntraced(function* (
  { work }: ReadPools,
  query: QrCodeQuery,
  page: number,
) {
  const account = bareId("acct", query.account_id)
  const period = [new Date(query.from), new Date(query.to)]
  let after = earliestId(query)
  let codes = 0
  let first: number | undefined
  while (true) {
    const parameters = [account, after, ...period, page, query.counter]
    const [row] = yield* ask(work, USAGE_SQL.qrCodes, parameters)
    const removed = Number(row?.["removed"] ?? 0)
    first ??= removed
    codes += Number(row?.["codes"] ?? 0)
    if (Number(row?.["seen"] ?? 0) < page) return { codes, first, last: removed }
    after = String(row?.["last"])
  }
})

/**
 * Counts an account's codes. A payment that is removed adds its codes to the counter. One statement
 * sees both. If the counter changes between two, it is not known whether a removed payment was
 * counted: then all are counted again, and at last without what was removed meanwhile.
 */
export const countCodes = Effect.fnUntraced(function* (
  pools: ReadPools,
  query: QrCodeQuery,
  page: number = PAGE,
) {
  if (!isId("acct", query.account_id)) return 0
  for (let counts = 1; ; counts += 1) {
    const { codes, first, last } = yield* countOnce(pools, query, page)
    if (first === last || counts === MOST_COUNTS) return codes + first
  }
})

/** Reads what accounts have used. */
export const usageReads = (pools: ReadPools): Reads => ({
  countQrCodes: (query) => countCodes(pools, query),
  readCounters: (names) =>
    Effect.map(ask(pools.reads, USAGE_SQL.counters, [names]), (rows) => {
      const values = new Map(rows.map((row) => [row["counter"], Number(row["value"])]))
      return names.map((name) => values.get(name) ?? 0)
    }),
})
