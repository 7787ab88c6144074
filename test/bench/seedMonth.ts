import type { Running } from "./Bench.ts"
import type { Server } from "./database.ts"
import { copyRow, SEEDED_PREFIX } from "./seed.ts"

/** A month with stored payments and reconciliation runs. */
export interface Month {
  /** `2026-01-31`: its first day. */
  readonly first: string
  readonly days: number
  readonly channels: ReadonlyArray<string>
  readonly payments: number
  /** A succeeded payment; the others are copies of it. */
  readonly model: string
  /** The discrepancies of each run, as many as are kept for one. */
  readonly discrepancies: number
}

const SORTS = 16

const bare = (id: string): string => id.replace(/^[a-z]+_/, "")

/** The moment of the n-th payment, spread evenly over its day. */
const momentOf = ({ first }: Month, day: number, count: number): string =>
  `('${first}T00:00:00Z'::timestamptz + interval '${day} days'
    + (n - 1) * interval '86399 seconds' / ${count})`

const channelOf = ({ channels }: Month, number: string): string =>
  `(ARRAY[${channels.map((name) => `'${name}'`).join()}])[1 + (${number}) % ${channels.length}]`

/** The ids of what is stored of a day: a prefix, and the number of the row in all days. */
const numbered = (prefix: string, number: string): string =>
  `('${prefix}' || lpad(to_hex((${number})::bigint), 12, '0'))::uuid`

/** A day's payments with all that their lives have posted, as the code writes it. */
const seedDay = async (server: Server, { database }: Running, month: Month, day: number) => {
  const { days, model, payments } = month
  const before = Math.floor((payments * day) / days)
  const count = Math.floor((payments * (day + 1)) / days) - before
  const moment = momentOf(month, day, count)
  const channel = channelOf(month, "n")
  const intent = numbered(SEEDED_PREFIX, `n + ${before}`)
  await copyRow(server, database, {
    table: "payment_intents",
    where: `id = '${bare(model)}'`,
    count,
    values: {
      id: intent,
      qr_charge_id: intent,
      channel,
      trade_no: `'trade-' || (n + ${before})`,
      channel_txn_id: `'trade-' || (n + ${before})`,
      created_at: moment,
      scanned_at: moment,
      authorized_at: moment,
      captured_at: moment,
      succeeded_at: moment,
    },
  })
  await copyRow(server, database, {
    table: "postings",
    where: `payment_intent = '${bare(model)}'`,
    count,
    values: {
      id: numbered("01997d3e-8a00-7000-a000-", `row_number() OVER () + ${before * SORTS}`),
      journal: `md5(model.journal::text || ' ' || (n + ${before}))::uuid`,
      payment_intent: intent,
      channel,
      created_at: moment,
    },
  })
}

/** Stores the runs of the month with their discrepancies, as copies of the worker's run. */
const seedRuns = async (server: Server, { database }: Running, month: Month) => {
  const { channels, days, discrepancies, first } = month
  const runs = channels.length * days
  const run = `md5('run ' || ((n - 1) % ${runs}))::uuid`
  const channel = channelOf(month, "n - 1")
  const day = `('${first}'::date + ((n - 1) % ${runs} / ${channels.length})::int)`
  const model = "run IS NOT NULL ORDER BY id LIMIT 1"
  await copyRow(server, database, {
    table: "reconciliation_runs",
    where: `id = (SELECT run FROM discrepancies WHERE ${model})`,
    count: runs,
    values: { id: run, channel, day: `to_char(${day}, 'YYYY-MM-DD')`, due_at: "NULL" },
  })
  await copyRow(server, database, {
    table: "discrepancies",
    where: `id = (SELECT id FROM discrepancies WHERE ${model})`,
    count: runs * discrepancies,
    values: {
      id: numbered("01997d3e-8a00-7000-b000-", "n"),
      run,
      channel,
      payment_intent: numbered(SEEDED_PREFIX, "n"),
      created_at: `(${day} + interval '12 hours') AT TIME ZONE 'UTC'`,
    },
  })
}

/** Stores a month of payments. The database's own triggers check and sum up what is posted. */
export const seedMonth = async (
  server: Server,
  running: Running,
  month: Month,
  each: <A>(what: string, work: () => Promise<A>) => Promise<A>,
): Promise<void> => {
  for (let day = 0; day < month.days; day++) {
    await each(`day ${day + 1} of ${month.days}`, () => seedDay(server, running, month, day))
  }
  await each("its comparisons", () => seedRuns(server, running, month))
  await server.query(running.database, "ANALYZE")
  await server.checkpoint()
}
