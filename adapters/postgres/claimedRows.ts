import { Effect } from "effect"
import type { DueKind, Records } from "../../core/ports/Store.ts"
import type { Timestamp } from "../../core/shared/Timestamp.ts"
import { type Database, run } from "./database.ts"
import { tableOf } from "./tables.ts"
import type { Row } from "./tables/Table.ts"

const MESSAGE =
  "Due work cannot be read from its row. This process leaves it to others for a while, and other " +
  "work goes on. Repair the row, or run the version that has written it."

/** The most ids in one line of the log. */
const MOST_TOLD = 20

/** The most rows of a kind that a process leaves to others. Beyond them, rows stay leased. */
const MOST_LEFT = 10_000

/** The rows of a kind that this process could not read, and until when its claims pass them. */
export class LeftToOthers {
  readonly #until = new Map<string, Timestamp>()

  /** Returns the ids to pass, as an array literal of bare ids. */
  at(now: Timestamp): string {
    for (const [id, until] of this.#until) if (until <= now) this.#until.delete(id)
    return `{${[...this.#until.keys()].join()}}`
  }

  /** Adds rows, and returns those for which there was room. */
  add(ids: ReadonlyArray<string>, until: Timestamp): ReadonlyArray<string> {
    const added = ids.slice(0, MOST_LEFT - this.#until.size)
    for (const id of added) this.#until.set(id, until)
    return added
  }
}

/** A claim: what was due at `now`, leased until then by the store's clock. */
export interface ClaimTime {
  readonly now: Timestamp
  readonly lease: number
  readonly leaseUntil: Date | undefined
}

/**
 * Returns the rows of a claim as records. Rows that cannot be read, such as those in a state of a
 * newer version, are left out: they would stop all work of their kind. They get back their lease,
 * since another process may be able to read them, and this one passes them for as long. A claim
 * logs them in one line, since after a change of versions they may be thousands.
 */
export const readClaimed = Effect.fnUntraced(function* <K extends DueKind>(
  { work }: Database,
  kind: K,
  rows: ReadonlyArray<Row>,
  left: LeftToOthers,
  { lease, leaseUntil, now }: ClaimTime,
) {
  const table = tableOf(kind)
  const prefix = table.prefix === null ? "" : `${table.prefix}_`
  const records = new Array<Records[K]>()
  const unread = new Array<string>()
  let first: unknown
  for (const row of rows) {
    try {
      records.push(table.fromRow(row))
    } catch (cause) {
      first ??= cause
      unread.push(String(row["id"]))
    }
  }
  if (unread.length > 0) {
    const ids = left.add(unread, now + lease)
    const back = `UPDATE payport.${table.name} SET lease_until = NULL
      WHERE id = ANY ($1::uuid[]) AND lease_until = $2`
    // Should it fail, the lease ends by itself.
    yield* Effect.ignore(run(work, back, [`{${ids.join()}}`, leaseUntil]))
    const id = unread
      .slice(0, MOST_TOLD)
      .map((bare) => `${prefix}${bare}`)
      .join(" ")
    yield* Effect.annotateLogs(Effect.logError(MESSAGE, first), { kind, id, rows: unread.length })
  }
  const read: ReadonlyArray<Records[K]> = records
  return read
})

/**
 * Claims again while a claim has had rows and none of them could be read: an empty answer means
 * that nothing is due, and other work may wait behind those rows. It ends, because a claim passes
 * rows that could not be read.
 */
export const pastUnreadable = <R, E>(
  claim: Effect.Effect<{ readonly rows: number; readonly records: ReadonlyArray<R> }, E>,
): Effect.Effect<ReadonlyArray<R>, E> =>
  Effect.flatMap(claim, ({ records, rows }) =>
    records.length === 0 && rows > 0 ? pastUnreadable(claim) : Effect.succeed(records),
  )
