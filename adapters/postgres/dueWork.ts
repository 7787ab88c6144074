import { Effect } from "effect"
import {
  type ClaimOptions,
  DUE_KINDS,
  type DueKind,
  type Records,
  type Store,
  type StoreUnavailable,
} from "../../core/ports/Store.ts"
import { LeftToOthers, pastUnreadable, readClaimed } from "./claimedRows.ts"
import { claimByReceiver, timesOf } from "./dueByReceiver.ts"
import { ask, type Database, run } from "./database.ts"
import { tableOf } from "./tables.ts"

type Due = Pick<Store["Service"], "claimDue" | "dueKinds" | "nextDueAt">

/**
 * Claims due records without a lease, in one statement. The statement skips rows that others hold,
 * so claims never wait. It raises the version, so that commits of earlier lease holders are stale.
 * The fifth parameter names rows that this process cannot read.
 */
export const claimStatement = (kind: DueKind): string => {
  const { name, selection } = tableOf(kind)
  return `WITH due AS MATERIALIZED (
      SELECT id FROM payport.${name}
      WHERE due_at <= $1 AND (lease_until IS NULL OR lease_until <= $2) AND id <> ALL ($5::uuid[])
      ORDER BY due_at, id LIMIT $4 FOR UPDATE SKIP LOCKED)
    UPDATE payport.${name} SET version = ${name}.version + 1, lease_until = $3
    FROM due WHERE ${name}.id = due.id RETURNING ${selection}, ${name}.due_at AS was_due_at`
}

const nextOf = (kind: DueKind): string =>
  `(SELECT due_at FROM payport.${tableOf(kind).name} WHERE due_at IS NOT NULL
      ORDER BY due_at, id LIMIT 1)`

export const NEXT_DUE_SQL = `SELECT least(${DUE_KINDS.map(nextOf).join(", ")}) AS due_at`

export const DUE_KINDS_SQL = `SELECT ${DUE_KINDS.map(
  (kind) => `${nextOf(kind)} <= $1 AS ${kind}`,
).join(", ")}`

const wasDueAt = (row: { readonly [column: string]: unknown }): number => Number(row["was_due_at"])

type Claim<K extends DueKind> = (
  now: number,
  options: ClaimOptions,
) => Effect.Effect<ReadonlyArray<Records[K]>, StoreUnavailable>

const claimOf = <K extends DueKind>(database: Database, kind: K, left: LeftToOthers): Claim<K> => {
  const statement = claimStatement(kind)
  return (now, options) => {
    const times = timesOf(now, options)
    const at = { now, lease: options.lease, leaseUntil: times[2] }
    const claim = Effect.gen(function* () {
      const parameters = [...times, options.limit, left.at(now)]
      const rows = yield* run(database.work, statement, parameters)
      const inOrder = rows.toSorted(
        (a, b) => wasDueAt(a) - wasDueAt(b) || (String(a["id"]) < String(b["id"]) ? -1 : 1),
      )
      return { rows: rows.length, records: yield* readClaimed(database, kind, inOrder, left, at) }
    })
    return pastUnreadable(claim)
  }
}

/** Work that is due at a time. */
export const dueWork = (database: Database): Due => {
  const claims: { readonly [K in DueKind]?: Claim<K> } = {
    delivery: claimByReceiver(database, "delivery"),
    revocation: claimByReceiver(database, "revocation"),
  }
  const left = new Map<DueKind, LeftToOthers>()
  const leftOf = (kind: DueKind): LeftToOthers => {
    const found = left.get(kind) ?? new LeftToOthers()
    left.set(kind, found)
    return found
  }
  return {
    claimDue: (kind, now, options) =>
      (claims[kind] ?? claimOf(database, kind, leftOf(kind)))(now, options),
    dueKinds: (now) =>
      Effect.map(
        ask(database.reads, DUE_KINDS_SQL, [new Date(now)]),
        ([row]) => new Set(DUE_KINDS.filter((kind) => row?.[kind] === true)),
      ),
    nextDueAt: () =>
      Effect.map(ask(database.reads, NEXT_DUE_SQL, []), ([row]) =>
        (row?.["due_at"] as Date | null | undefined)?.getTime(),
      ),
  }
}
