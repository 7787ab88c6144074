import type { Kind, Records } from "../../core/ports/Store.ts"
import * as everyTable from "./tables/everyTable.ts"
import type { Table } from "./tables/Table.ts"

const BY_KIND: { readonly [K in Kind]: Table<Records[K]> } = everyTable

/**
 * Every table of records, in the order in which a commit locks and writes them. The order is that
 * of the kinds' names, so that all processes lock in the same order.
 */
export const TABLES: ReadonlyArray<Table<Records[Kind]>> = Object.values(BY_KIND).toSorted((a, b) =>
  a.kind < b.kind ? -1 : 1,
)

const POSITIONS: ReadonlyMap<Kind, number> = new Map(
  TABLES.map((table, position) => [table.kind, position]),
)

/** Returns the position of the kind's table in {@link TABLES}. An unknown kind is a defect. */
export const positionOf = (kind: Kind): number => {
  const position = POSITIONS.get(kind)
  if (position === undefined) throw new TypeError(`There is no table for records of kind ${kind}`)
  return position
}

/** Returns the table of a kind. */
export const tableOf = <K extends Kind>(kind: K): Table<Records[K]> => BY_KIND[kind]
