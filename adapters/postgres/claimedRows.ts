import { Effect } from "effect"
import type { Kind, Records } from "../../core/ports/Store.ts"
import { tableOf } from "./tables.ts"
import type { Row } from "./tables/Table.ts"

const MESSAGE =
  "Due work cannot be read from its row. It is set aside until its lease ends, while other work " +
  "goes on. Repair the row, or run the version that has written it."

/**
 * Returns the rows of a claim as records. A row that cannot be read, such as one in a state of a
 * newer version, is logged with its id and left out: it would stop all work of its kind. It stays
 * leased, so that the next claims do not find it, and is tried again when the lease has ended.
 */
export const readClaimed = <K extends Kind>(
  kind: K,
  rows: ReadonlyArray<Row>,
): Effect.Effect<ReadonlyArray<Records[K]>> => {
  const table = tableOf(kind)
  const prefix = table.prefix === null ? "" : `${table.prefix}_`
  const idOf = (row: Row) => `${prefix}${String(row["id"])}`
  const read = (row: Row) =>
    Effect.try({ try: (): Records[K] => table.fromRow(row), catch: (cause) => cause }).pipe(
      Effect.catch((cause) =>
        Effect.as(
          Effect.annotateLogs(Effect.logError(MESSAGE, cause), { kind, id: idOf(row) }),
          undefined,
        ),
      ),
    )
  return Effect.map(Effect.forEach(rows, read), (records) =>
    records.filter((record) => record !== undefined),
  )
}
