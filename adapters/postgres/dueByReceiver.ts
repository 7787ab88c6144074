import { Effect } from "effect"
import {
  type ClaimOptions,
  KINDS,
  type Records,
  type Shares,
  type StoreUnavailable,
} from "../../core/ports/Store.ts"
import type { Timestamp } from "../../core/shared/Timestamp.ts"
import { LeftToOthers, pastUnreadable, readClaimed } from "./claimedRows.ts"
import { type Database, run } from "./database.ts"
import { tableOf } from "./tables.ts"
import type { Row } from "./tables/Table.ts"

/** The most records, longest due first, that are read before receivers are read one by one. */
const WINDOW = 1_000

/** The most receivers that one statement reads. */
const MOST_RECEIVERS = 500

const FIRST_UUID = "00000000-0000-0000-0000-000000000000"

const FREE =
  "due_at <= $1 AND (lease_until IS NULL OR lease_until <= $2) AND id <> ALL ($9::uuid[])"

const LEFT = "SELECT * FROM unnest($6::uuid[], $7::int[]) AS shares (receiver, places)"

/**
 * Where the records of a kind wait. An index of `waiting` begins with the receiver's column and
 * `due_at`. A revocation that was carried out falls due once more, when its retention ends; it is
 * claimed as one of the longest due, so that a walk passes nobody without a pending one.
 */
const QUEUES = {
  delivery: {
    receiver: "receiver",
    claiming: ", status = 'delivering'",
    waiting: "due_at IS NOT NULL",
  },
  revocation: {
    receiver: "account_id",
    claiming: "",
    waiting: "due_at IS NOT NULL AND status = 'pending'",
  },
} as const

type Queued = keyof typeof QUEUES

/** The kinds whose records each receiver has a queue of. */
export const QUEUED_KINDS: ReadonlyArray<Queued> = ["delivery", "revocation"]

/** Claims the records in `chosen`, except those that others have claimed meanwhile. */
const claiming = (kind: Queued, found: string): string => {
  const { name, selection } = tableOf(kind)
  return `due AS MATERIALIZED (
      SELECT id FROM payport.${name} WHERE id = ANY (ARRAY(SELECT id FROM chosen)) AND ${FREE}
      FOR UPDATE SKIP LOCKED),
    claimed AS (
      UPDATE payport.${name} SET version = version + 1${QUEUES[kind].claiming}, lease_until = $3
      WHERE id = ANY (ARRAY(SELECT id FROM due)) RETURNING ${selection})
    SELECT found.*, claimed.* FROM (${found}) AS found LEFT JOIN claimed ON true
    ORDER BY claimed.due_at, claimed.id`
}

/**
 * Claims the longest due records, of each receiver at most its share. `looked_at` is the number of
 * records that were read.
 */
export const longestDueStatement = (kind: Queued): string => {
  const { receiver } = QUEUES[kind]
  return `WITH seen AS MATERIALIZED (
      SELECT id, ${receiver} AS receiver, due_at FROM payport.${tableOf(kind).name}
      WHERE ${FREE} ORDER BY due_at, id LIMIT $8),
    numbered AS (
      SELECT id, receiver, due_at,
        row_number() OVER (PARTITION BY receiver ORDER BY due_at, id) AS place FROM seen),
    chosen AS MATERIALIZED (
      SELECT numbered.id FROM numbered LEFT JOIN (${LEFT}) AS known
        ON known.receiver = numbered.receiver
      WHERE place <= coalesce(known.places, $5) ORDER BY due_at, id LIMIT $4),
    ${claiming(kind, "SELECT count(*) AS looked_at FROM seen")}`
}

/**
 * Claims the shares of the receivers after a given one. Each receiver costs one index lookup,
 * however many records it has. `last` is the last receiver that was read; null after the end.
 */
export const byReceiverStatement = (kind: Queued): string => {
  const { receiver, waiting } = QUEUES[kind]
  const { name } = tableOf(kind)
  const next = (after: string) => `(SELECT ${receiver} FROM payport.${name}
        WHERE ${waiting} AND ${receiver} > ${after} ORDER BY ${receiver} LIMIT 1)`
  return `WITH RECURSIVE receivers (receiver, place) AS (
      SELECT ${next("$8::uuid")}, 1
      UNION ALL
      SELECT ${next("receivers.receiver")}, place + 1
      FROM receivers WHERE receivers.receiver IS NOT NULL AND place < ${MOST_RECEIVERS}),
    chosen AS MATERIALIZED (
      SELECT queue.id FROM receivers LEFT JOIN (${LEFT}) AS known
        ON known.receiver = receivers.receiver
      CROSS JOIN LATERAL (
        SELECT id, due_at FROM payport.${name}
        WHERE ${name}.${receiver} = receivers.receiver AND ${FREE} AND ${waiting}
        ORDER BY due_at, id LIMIT coalesce(known.places, $5)) AS queue
      ORDER BY queue.due_at, queue.id LIMIT $4),
    ${claiming(kind, "SELECT receiver AS last FROM receivers ORDER BY place DESC LIMIT 1")}`
}

type Claim<K extends Queued> = (
  now: Timestamp,
  options: ClaimOptions,
) => Effect.Effect<ReadonlyArray<Records[K]>, StoreUnavailable>

const inOrder = (a: Records[Queued], b: Records[Queued]): number =>
  (a.due_at ?? 0) - (b.due_at ?? 0) || (a.id < b.id ? -1 : 1)

/** Returns the shares as parameters. `left` lists receivers by bare ids, as the column does. */
const sharesOf = ({ each, left }: Shares): ReadonlyArray<unknown> => {
  const names = [...left.keys()].map((receiver) => receiver.replace(/^[a-z]+_/, ""))
  return [each, `{${names.join()}}`, `{${[...left.values()].join()}}`]
}

/**
 * Returns the times of a claim as parameters: until when records are due, and the lease's begin and
 * end by the store's clock.
 */
export const timesOf = (now: Timestamp, { ahead = 0, lease }: ClaimOptions): ReadonlyArray<Date> =>
  [now, now - ahead, now - ahead + lease].map((time) => new Date(time))

/** No limit per receiver. */
const ALL: Shares = { each: WINDOW, left: new Map() }

/**
 * Claims records so that no receiver delays another. If all due records fit in the window, one
 * statement is enough. If the window is full of records that may not be claimed, the receivers are
 * read in turn. The next claim continues where this one ended.
 */
export const claimByReceiver = <K extends Queued>(database: Database, kind: K): Claim<K> => {
  const { work } = database
  const left = new LeftToOthers()
  const receiverOf = (record: Records[K]) => KINDS[kind].receiver?.(record) ?? ""
  const longestDue = longestDueStatement(kind)
  const byReceiver = byReceiverStatement(kind)
  const claimedIn = (rows: ReadonlyArray<Row>) => rows.filter((row) => row["id"] !== null)
  let last = FIRST_UUID
  const claim = Effect.fnUntraced(function* (now: Timestamp, options: ClaimOptions) {
    const { limit, shares = ALL } = options
    const times = timesOf(now, options)
    const at = { now, lease: options.lease, leaseUntil: times[2] }
    const window = Math.max(WINDOW, limit)
    const bounded = [...times, limit, ...sharesOf(shares)]
    const seen = yield* run(work, longestDue, [...bounded, window, left.at(now)])
    const first = claimedIn(seen)
    const claimed = yield* readClaimed(database, kind, first, left, at)
    const isFull = Number(seen[0]?.["looked_at"]) >= window
    if (!isFull || claimed.length >= limit) return { rows: first.length, records: claimed }
    const open = new Map(shares.left)
    for (const record of claimed) {
      const receiver = receiverOf(record)
      open.set(receiver, (open.get(receiver) ?? shares.each) - 1)
    }
    const most = limit - claimed.length
    const shared = sharesOf({ each: shares.each, left: open })
    const rest = [...times, most, ...shared, last, left.at(now)]
    const others = yield* run(work, byReceiver, rest)
    const ended = others[0]?.["last"]
    last = typeof ended === "string" ? ended : FIRST_UUID
    const then = claimedIn(others)
    const records = [...claimed, ...(yield* readClaimed(database, kind, then, left, at))].toSorted(
      inOrder,
    )
    return { rows: first.length + then.length, records }
  })
  return (now, options) => pastUnreadable(claim(now, options))
}
