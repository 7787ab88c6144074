import { Effect } from "effect"
import type { ClaimOptions, Shares, StoreUnavailable } from "../../core/ports/Store.ts"
import type { Timestamp } from "../../core/shared/Timestamp.ts"
import type { Delivery } from "../../core/webhooks/deliveries/Delivery.ts"
import { type Database, run } from "./database.ts"
import { deliveries } from "./tables/deliveries.ts"
import type { Row } from "./tables/Table.ts"

/** The most deliveries, longest due first, that are read before receivers are read one by one. */
const WINDOW = 1_000

/** The most receivers that one statement reads. */
const MOST_RECEIVERS = 500

const FIRST_UUID = "00000000-0000-0000-0000-000000000000"

const FREE = "due_at <= $1 AND (lease_until IS NULL OR lease_until <= $1)"

const LEFT = "SELECT * FROM unnest($5::uuid[], $6::int[]) AS shares (receiver, places)"

/** Claims the deliveries in `chosen`, except those that others have claimed meanwhile. */
const claim = (found: string): string => `due AS MATERIALIZED (
      SELECT id FROM payport.deliveries WHERE id = ANY (ARRAY(SELECT id FROM chosen)) AND ${FREE}
      FOR UPDATE SKIP LOCKED),
    claimed AS (
      UPDATE payport.deliveries SET version = version + 1, status = 'delivering', lease_until = $2
      WHERE id = ANY (ARRAY(SELECT id FROM due)) RETURNING ${deliveries.selection})
    SELECT found.*, claimed.* FROM (${found}) AS found LEFT JOIN claimed ON true
    ORDER BY claimed.due_at, claimed.id`

/**
 * Claims the longest due deliveries, of each receiver at most its share. `looked_at` is the number
 * of deliveries that were read.
 */
export const LONGEST_DUE_SQL = `WITH seen AS MATERIALIZED (
      SELECT id, receiver, due_at FROM payport.deliveries
      WHERE ${FREE} ORDER BY due_at, id LIMIT $7),
    numbered AS (
      SELECT id, receiver, due_at,
        row_number() OVER (PARTITION BY receiver ORDER BY due_at, id) AS place FROM seen),
    chosen AS MATERIALIZED (
      SELECT numbered.id FROM numbered LEFT JOIN (${LEFT}) AS known
        ON known.receiver = numbered.receiver
      WHERE place <= coalesce(known.places, $4) ORDER BY due_at, id LIMIT $3),
    ${claim("SELECT count(*) AS looked_at FROM seen")}`

const NEXT_RECEIVER = `SELECT receiver FROM payport.deliveries
        WHERE due_at IS NOT NULL AND receiver >`

/**
 * Claims the shares of the receivers after a given one. Each receiver costs one index lookup,
 * however many deliveries it has. `last` is the last receiver that was read; null after the end.
 */
export const BY_RECEIVER_SQL = `WITH RECURSIVE receivers (receiver, place) AS (
      SELECT (${NEXT_RECEIVER} $7::uuid ORDER BY receiver LIMIT 1), 1
      UNION ALL
      SELECT (${NEXT_RECEIVER} receivers.receiver ORDER BY receiver LIMIT 1), place + 1
      FROM receivers WHERE receivers.receiver IS NOT NULL AND place < ${MOST_RECEIVERS}),
    chosen AS MATERIALIZED (
      SELECT queue.id FROM receivers LEFT JOIN (${LEFT}) AS known
        ON known.receiver = receivers.receiver
      CROSS JOIN LATERAL (
        SELECT id, due_at FROM payport.deliveries
        WHERE deliveries.receiver = receivers.receiver AND ${FREE}
        ORDER BY due_at, id LIMIT coalesce(known.places, $4)) AS queue
      ORDER BY queue.due_at, queue.id LIMIT $3),
    ${claim("SELECT receiver AS last FROM receivers ORDER BY place DESC LIMIT 1")}`

type Claim = (
  now: Timestamp,
  options: ClaimOptions,
) => Effect.Effect<ReadonlyArray<Delivery>, StoreUnavailable>

const claimedOf = (rows: ReadonlyArray<Row>): ReadonlyArray<Delivery> =>
  rows.flatMap((row) => (row["id"] === null ? [] : [deliveries.fromRow(row)]))

const inOrder = (a: Delivery, b: Delivery): number =>
  (a.due_at ?? 0) - (b.due_at ?? 0) || (a.id < b.id ? -1 : 1)

/** Returns the shares as parameters. `left` lists receivers by bare ids, as the column does. */
const sharesOf = ({ each, left }: Shares): ReadonlyArray<unknown> => {
  const names = [...left.keys()].map((receiver) => receiver.replace(/^we_/, ""))
  return [each, `{${names.join()}}`, `{${[...left.values()].join()}}`]
}

/** No limit per receiver. */
const ALL: Shares = { each: WINDOW, left: new Map() }

/**
 * Claims deliveries so that no receiver delays another. If all due deliveries fit in the window,
 * one statement is enough. If the window is full of deliveries that may not be claimed, the
 * receivers are read in turn. The next claim continues where this one ended.
 */
export const claimDeliveries = ({ work }: Database): Claim => {
  let last = FIRST_UUID
  return Effect.fnUntraced(function* (now, { lease, limit, shares = ALL }) {
    const times = [new Date(now), new Date(now + lease)]
    const window = Math.max(WINDOW, limit)
    const bounded = [...times, limit, ...sharesOf(shares)]
    const rows = yield* run(work, LONGEST_DUE_SQL, [...bounded, window])
    const claimed = claimedOf(rows)
    const isFull = Number(rows[0]?.["looked_at"]) >= window
    if (!isFull || claimed.length >= limit) return claimed
    const left = new Map(shares.left)
    for (const { endpoint_id, service_id } of claimed) {
      const receiver = endpoint_id ?? service_id ?? ""
      left.set(receiver, (left.get(receiver) ?? shares.each) - 1)
    }
    const open = limit - claimed.length
    const rest = [...times, open, ...sharesOf({ each: shares.each, left }), last]
    const others = yield* run(work, BY_RECEIVER_SQL, rest)
    const ended = others[0]?.["last"]
    last = typeof ended === "string" ? ended : FIRST_UUID
    return [...claimed, ...claimedOf(others)].toSorted(inOrder)
  })
}
