import { Effect } from "effect"
import { DUE_KINDS, type DueKind } from "../../../core/ports/Store.ts"
import type { Timestamp } from "../../../core/shared/Timestamp.ts"
import { type Backlog, type BacklogReads, MOST_COUNTED } from "../Backlog.ts"
import { ask, type Database } from "../database.ts"
import { tableOf } from "../tables.ts"
import type { Row } from "../tables/Table.ts"

const countOf = (kind: DueKind): string =>
  `SELECT '${kind}' AS kind, count(*)::int AS count, min(due_at) AS oldest FROM (
    SELECT due_at FROM payport.${tableOf(kind).name} WHERE due_at <= $1
    ORDER BY due_at, id LIMIT ${MOST_COUNTED}) AS seen`

const DUE_SQL = DUE_KINDS.map(countOf).join(" UNION ALL ")

const RECEIVERS_SQL = `SELECT coalesce('we_' || endpoint_id, service_id::text) AS receiver,
    count(*)::int AS count FROM (
      SELECT endpoint_id, service_id FROM payport.deliveries WHERE due_at IS NOT NULL
      ORDER BY due_at, id LIMIT ${MOST_COUNTED}) AS seen GROUP BY 1`

const REQUESTS_SQL = `SELECT channel, status, count(*)::int AS count, min(created_at) AS oldest
  FROM (SELECT channel, status, created_at FROM payport.channel_requests WHERE due_at IS NOT NULL
    ORDER BY due_at, id LIMIT ${MOST_COUNTED}) AS seen GROUP BY 1, 2`

/** The SQL that counts waiting work. No statement reads more rows than it counts. */
export const BACKLOG_SQL = { due: DUE_SQL, receivers: RECEIVERS_SQL, requests: REQUESTS_SQL }

const timeOf = (row: Row): number => (row["oldest"] as Date).getTime()

/** Counts the work that is due at `now`, with one statement after another. */
export const countBacklog = <E>(
  query: (sql: string, parameters: ReadonlyArray<unknown>) => Effect.Effect<ReadonlyArray<Row>, E>,
  now: Timestamp,
): Effect.Effect<Backlog, E> =>
  Effect.gen(function* () {
    const due = yield* query(DUE_SQL, [new Date(now)])
    const receivers = yield* query(RECEIVERS_SQL, [])
    const requests = yield* query(REQUESTS_SQL, [])
    return {
      due: due.map((row) => ({
        kind: row["kind"] as DueKind,
        count: Number(row["count"]),
        oldest: row["oldest"] === null ? null : timeOf(row),
      })),
      receivers: receivers.map((row) => ({
        receiver: String(row["receiver"]),
        count: Number(row["count"]),
      })),
      channel_requests: requests.map((row) => ({
        channel: String(row["channel"]),
        status: String(row["status"]),
        count: Number(row["count"]),
        oldest: timeOf(row),
      })),
    }
  })

/** Counts waiting work on the connections for longer reads. The others serve requests. */
export const backlogReads = ({ work }: Database): BacklogReads["Service"] => ({
  count: (now) => countBacklog((sql, parameters) => ask(work, sql, parameters), now),
})
