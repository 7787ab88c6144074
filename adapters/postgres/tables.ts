import type { Kind, Records } from "../../core/ports/Store.ts"
import * as everyTable from "./tables/everyTable.ts"
import type { Table } from "./tables/Table.ts"

const BY_KIND: { readonly [K in Kind]: Table<Records[K]> } = everyTable

/**
 * Every table of records, in the order in which a commit locks and writes them: that of the kinds'
 * names, however the modules were loaded, so that all processes lock in one order.
 */
export const TABLES: ReadonlyArray<Table<Records[Kind]>> = Object.values(BY_KIND).toSorted((a, b) =>
  a.kind < b.kind ? -1 : 1,
)

const POSITIONS: ReadonlyMap<Kind, number> = new Map(
  TABLES.map((table, position) => [table.kind, position]),
)

/** Where the kind's table stands in {@link TABLES}; an unknown kind is a defect. */
export const positionOf = (kind: Kind): number => {
  const position = POSITIONS.get(kind)
  if (position === undefined) throw new TypeError(`There is no table for records of kind ${kind}`)
  return position
}

/** The table of a kind. */
export const tableOf = <K extends Kind>(kind: K): Table<Records[K]> => BY_KIND[kind]
