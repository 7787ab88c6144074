import type { Kind, Records } from "../../../core/ports/Store.ts"
import type { Column, Table } from "../tables/Table.ts"
import { listIndexes, uniqueIndexes } from "./declaredIndexes.ts"

const columnOf = ({ codec, name, type }: Column): string => {
  const rules = [
    ...(name === "id" ? ["PRIMARY KEY"] : []),
    ...(codec.isBytewise === true ? ['COLLATE "C"'] : []),
    ...(codec.isNullable === true ? [] : ["NOT NULL"]),
    ...(codec.check === undefined ? [] : [`CHECK (${codec.check.replaceAll("…", name)})`]),
  ]
  return [name, type, ...rules].join(" ")
}

const named = (rules: { readonly [name: string]: string } = {}) => Object.entries(rules)

const byName = (indexes: ReturnType<typeof listIndexes>) =>
  Object.fromEntries(indexes.map(({ name, on }) => [name, on]))

/** Returns the SQL that makes the table of a kind of record, with its constraints and indexes. */
export const createTable = (table: Table<Records[Kind]>): ReadonlyArray<string> => {
  const { name } = table
  const parts = [
    ...table.columns.map(columnOf),
    ...(table.due ? ["lease_until timestamptz(3)"] : []),
    ...named(table.generated).map(([column, rule]) => `${column} ${rule}`),
    ...named(table.constraints).map(([rule, text]) => `CONSTRAINT ${rule} CHECK (${text})`),
  ]
  const unique = { ...byName(uniqueIndexes(table)), ...table.unique }
  const indexes = {
    ...byName(listIndexes(table)),
    ...table.indexes,
    ...(table.due && { [`${name}_due`]: "(due_at, id) WHERE due_at IS NOT NULL" }),
  }
  return [
    `CREATE TABLE payport.${name} (\n  ${parts.join(",\n  ")}\n)`,
    ...named(unique).map(([index, on]) => `CREATE UNIQUE INDEX ${index} ON payport.${name} ${on}`),
    ...named(indexes).map(([index, on]) => `CREATE INDEX ${index} ON payport.${name} ${on}`),
  ]
}
