import { type Kind, KINDS, type Records } from "../../../core/ports/Store.ts"
import type { Table } from "../tables/Table.ts"

interface Index {
  readonly name: string
  /** The columns that lead it. */
  readonly by: ReadonlyArray<string>
  readonly on: string
}

/** What a kind declares of a unique name. */
export interface Named {
  readonly by: ReadonlyArray<string>
  readonly while?: { readonly [field: string]: ReadonlyArray<unknown> }
}

/** The unique names of a kind, with the types of their fields forgotten. */
export const uniqueOf = (kind: Kind): ReadonlyArray<Named> => KINDS[kind].unique ?? []

const isOneOf = (column: string, values: ReadonlyArray<unknown>): string =>
  values.includes(null)
    ? `${column} IS NULL`
    : `${column} IN (${values.map((value) => `'${String(value)}'`).join(", ")})`

/** What a record is while it has the name. */
export const whileOf = ({ while: condition = {} }: Named): ReadonlyArray<string> =>
  Object.entries(condition).map(([column, values]) => isOneOf(column, values))

/** Rows without a value are in no list and have no name. */
const present = ({ columns }: Table<Records[Kind]>, by: ReadonlyArray<string>) =>
  columns
    .filter(({ codec, name }) => by.includes(name) && codec.isNullable === true)
    .map(({ name }) => `${name} IS NOT NULL`)

const where = (conditions: ReadonlyArray<string>): string =>
  conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`

/** What holds the unique names that the table's kind declares. */
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
 * What the lists that the table's kind declares go by, and its erasure. Few records share all but
 * the last field of a unique name: a list of them needs no index of its own.
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
