import { type Kind, KINDS, type Records } from "../../../core/ports/Store.ts"
import type { Table } from "../tables/Table.ts"

interface Index {
  readonly name: string
  /** The leading columns of the index. */
  readonly by: ReadonlyArray<string>
  readonly on: string
}

/** A kind's declaration of a unique name. */
export interface Named {
  readonly by: ReadonlyArray<string>
  readonly while?: { readonly [field: string]: ReadonlyArray<unknown> }
}

/** Returns the unique names of a kind, without the types of their fields. */
export const uniqueOf = (kind: Kind): ReadonlyArray<Named> => KINDS[kind].unique ?? []

const isOneOf = (column: string, values: ReadonlyArray<unknown>): string =>
  values.includes(null)
    ? `${column} IS NULL`
    : `${column} IN (${values.map((value) => `'${String(value)}'`).join(", ")})`

/** Returns the SQL conditions under which a record has the name. */
export const whileOf = ({ while: condition = {} }: Named): ReadonlyArray<string> =>
  Object.entries(condition).map(([column, values]) => isOneOf(column, values))

/** Excludes rows without a value: they are in no list and have no name. */
const present = ({ columns }: Table<Records[Kind]>, by: ReadonlyArray<string>) =>
  columns
    .filter(({ codec, name }) => by.includes(name) && codec.isNullable === true)
    .map(({ name }) => `${name} IS NOT NULL`)

const where = (conditions: ReadonlyArray<string>): string =>
  conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`

/** Returns the indexes that enforce the unique names of the table's kind. */
export const uniqueIndexes = (table: Table<Records[Kind]>): ReadonlyArray<Index> =>
  uniqueOf(table.kind).map((unique) => {
    const { by } = unique
    return {
      name: `${table.name}_${by.join("_")}_taken`,
      by,
      on: `(${by.join(", ")})${where([...present(table, by), ...whileOf(unique)])}`,
    }
  })

const leads = (by: ReadonlyArray<string>, index: ReadonlyArray<string>): boolean =>
  by.every((column, n) => index[n] === column)

/**
 * Returns the indexes for the lists of the table's kind and for its erasure. A list by all but the
 * last field of a unique name needs no index of its own, because it has few records.
 */
export const listIndexes = (table: Table<Records[Kind]>): ReadonlyArray<Index> => {
  const { kind, name } = table
  const { erased, lists = [] } = KINDS[kind]
  const whole = uniqueOf(kind).flatMap(({ by, while: condition }) => (condition ? [] : [by]))
  const wanted: ReadonlyArray<ReadonlyArray<string>> = [
    ...lists,
    ...(erased && !lists.some(([first]) => first === "account_id") ? [["account_id"]] : []),
  ]
  return wanted
    .filter((by) => !whole.some((unique) => leads(by, unique)))
    .map((by) => ({
      name: `${name}_${by.join("_")}`,
      by,
      on: `(${[...by, "id"].join(", ")})${where(present(table, by))}`,
    }))
}
