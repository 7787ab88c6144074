import { Effect } from "effect"
import type { Kind, Records } from "../../core/ports/Store.ts"
import { tableOf } from "./tables.ts"
import type { Row } from "./tables/Table.ts"

const MESSAGE =
  "Due work cannot be read from its row. It is set aside until its lease ends, while other work " +
  "goes on. Repair the row, or run the version that has written it."

/** The most ids in one line of the log. */
const MOST_TOLD = 20

/**
 * Returns the rows of a claim as records. Rows that cannot be read, such as those in a state of a
 * newer version, are left out: they would stop all work of their kind. They stay leased, so that
 * the next claims do not find them, and are tried again when the lease has ended. A claim logs them
 * in one line, since after a change of versions they may be thousands.
 */
export const readClaimed = Effect.fnUntraced(function* <K extends Kind>(
  kind: K,
  rows: ReadonlyArray<Row>,
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
      unread.push(`${prefix}${String(row["id"])}`)
    }
  }
  if (unread.length > 0) {
    const id = unread.slice(0, MOST_TOLD).join(" ")
    yield* Effect.annotateLogs(Effect.logError(MESSAGE, first), { kind, id, rows: unread.length })
  }
  const read: ReadonlyArray<Records[K]> = records
  return read
})

/**
 * Claims again while a claim has had rows and none of them could be read: an empty answer means
 * that nothing is due, and other work may wait behind those rows. It ends, because a claimed row is
 * leased.
 */
export const pastUnreadable = <R, E>(
  claim: Effect.Effect<{ readonly rows: number; readonly records: ReadonlyArray<R> }, E>,
): Effect.Effect<ReadonlyArray<R>, E> =>
  Effect.flatMap(claim, ({ records, rows }) =>
    records.length === 0 && rows > 0 ? pastUnreadable(claim) : Effect.succeed(records),
  )
