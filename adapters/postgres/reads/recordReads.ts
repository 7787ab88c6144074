import { Effect } from "effect"
import {
  type Kind,
  KINDS,
  type ListedKind,
  type ListQuery,
  type NamedBy,
  type NamedKind,
  type Records,
  type Store,
  type StoreUnavailable,
} from "../../../core/ports/Store.ts"
import { isId, isUuid } from "../../../core/shared/Id.ts"
import { ask, type ReadPools } from "../database.ts"
import { together } from "../together.ts"
import { uniqueOf, whileOf } from "../schema/declaredIndexes.ts"
import { tableOf, TABLES } from "../tables.ts"
import { bareId, LAST_UUID, quote } from "../tables/codecs.ts"
import type { Column, Row, Table } from "../tables/Table.ts"
import { allOf, firstOf, type Statement } from "./rows.ts"

type Reads = Pick<Store["Service"], "find" | "findMany" | "findBy" | "list" | "scan">

type AnyTable = Table<Records[Kind]>

interface Values {
  readonly [field: string]: unknown
}

const byId = ({ name, selection }: AnyTable) =>
  `SELECT ${selection} FROM payport.${name} WHERE id = $1::uuid`

const byIds = ({ name, selection }: AnyTable) =>
  `SELECT ${selection} FROM payport.${name} WHERE id = ANY ($1::uuid[])`

const inOrder = ({ name, selection }: AnyTable) =>
  `SELECT ${selection} FROM payport.${name} WHERE id > $1::uuid ORDER BY id LIMIT $2`

const perKind = (sql: (table: AnyTable) => string) =>
  Object.fromEntries(TABLES.map((table) => [table.kind, sql(table)])) as Record<Kind, string>

/** The SQL of reads by id, by kind of record. */
export const RECORD_SQL = { byId: perKind(byId), byIds: perKind(byIds), inOrder: perKind(inOrder) }

const isIdOf = ({ prefix }: AnyTable, id: string): boolean =>
  prefix === null ? isUuid(id) : isId(prefix, id)

/** Sorts before every id. */
const FIRST = "00000000-0000-0000-0000-000000000000"

/** The position before the first record, by the list's direction. */
const START = { ASC: FIRST, DESC: LAST_UUID } as const

const columnOf = ({ columns, name }: AnyTable, field: string): Column => {
  const column = columns.find((each) => each.name === field)
  if (column === undefined) throw new TypeError(`The table ${name} has no column ${field}.`)
  return column
}

/** A column with its wanted value, or several of them. */
interface Wanted {
  readonly column: string
  readonly type: string
  readonly isNullable: boolean
  readonly isOne: boolean
  /** The value as SQL text. Undefined if no row can have it. */
  readonly text: string | null | undefined
}

const wantedOf = (table: AnyTable, field: string, value: unknown): Wanted => {
  const { codec, name: column, type } = columnOf(table, field)
  const isOne = !Array.isArray(value)
  const values = new Set([value].flat().filter((each) => codec.accepts?.(each) !== false))
  const texts = [...values].map((each) => codec.encode(each))
  const several = () => `{${texts.map((text) => quote(String(text))).join()}}`
  return {
    column,
    type,
    isNullable: codec.isNullable === true,
    isOne,
    text: texts.length === 0 ? undefined : isOne ? texts[0] : several(),
  }
}

/** Returns the statement that finds a record by a unique name; undefined if none can match. */
export const nameStatement = <K extends NamedKind>(
  kind: K,
  name: NamedBy<K>,
): Statement | undefined => {
  const table: AnyTable = tableOf(kind)
  const fields = Object.keys(name)
  const unique = uniqueOf(kind).find(
    ({ by }) => by.length === fields.length && by.every((field) => field in name),
  )
  if (unique === undefined) throw new TypeError(`No name of ${kind} is of ${fields.join()}.`)
  const wanted = fields.map((field) => wantedOf(table, field, (name as Values)[field]))
  if (wanted.some(({ text }) => text === undefined)) return undefined
  const equal = wanted.map(({ column, type }, n) => `${column} = $${n + 1}::${type}`)
  return {
    sql: `SELECT ${table.selection} FROM payport.${table.name}
      WHERE ${[...equal, ...whileOf(unique)].join(" AND ")}`,
    parameters: wanted.map(({ text }) => text),
  }
}

/**
 * Returns the wanted values in the order of the index that the kind declares for such a list;
 * undefined if it declares none, or if a field may have several values.
 */
const ownOrder = (
  kind: ListedKind,
  wanted: ReadonlyArray<Wanted>,
): ReadonlyArray<Wanted> | undefined => {
  if (!wanted.every(({ isOne }) => isOne)) return undefined
  const lists: ReadonlyArray<ReadonlyArray<string>> = KINDS[kind].lists ?? []
  return lists
    .filter(({ length }) => length === wanted.length)
    .map((fields) => fields.flatMap((field) => wanted.find(({ column }) => column === field) ?? []))
    .find(({ length }) => length === wanted.length)
}

/**
 * Returns the statement of a list; undefined if nothing can match. If every field may have several
 * values, reads the newest rows of each combination by index, and the newest of all from those.
 */
export const listStatement = <K extends ListedKind>(
  kind: K,
  { after, by, from, limit, order }: ListQuery<K>,
): Statement | undefined => {
  const table: AnyTable = tableOf(kind)
  const { name, prefix, selection } = table
  const wanted = Object.entries(by)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => wantedOf(table, field, value))
  const begins = [after, from].filter((id) => id !== undefined)
  if (wanted.some(({ text }) => text === undefined)) return undefined
  if (!begins.every((id) => isIdOf(table, id))) return undefined

  const parameters: Array<unknown> = []
  const given = (value: unknown, type: string): string => `$${parameters.push(value)}::${type}`
  const [behind, way] = order === "oldest" ? ([">", "ASC"] as const) : (["<", "DESC"] as const)
  const begin = (listed: string): ReadonlyArray<string> => [
    ...(after === undefined
      ? []
      : [`${listed}.id ${behind} ${given(bareId(prefix, after), "uuid")}`]),
    ...(from === undefined ? [] : [`${listed}.id >= ${given(bareId(prefix, from), "uuid")}`]),
  ]
  const most = () => (limit === undefined ? "" : ` LIMIT ${given(limit, "bigint")}`)
  const own = ownOrder(kind, wanted)
  if (own !== undefined) {
    const columns = own.map(({ column }) => column)
    const values = own.map(({ text, type }) => given(text, type)).join()
    const start = given(after === undefined ? START[way] : bareId(prefix, after), "uuid")
    const conditions = [
      `(${columns.join()}, id) ${behind} (${values}, ${start})`,
      `(${columns.join()}) ${way === "DESC" ? ">=" : "<="} (${values})`,
      // The index leaves out what has no value.
      ...own.flatMap(({ column, isNullable }) => (isNullable ? [`${column} IS NOT NULL`] : [])),
      ...(from === undefined ? [] : [`id >= ${given(bareId(prefix, from), "uuid")}`]),
    ]
    const sorted = [...columns, "id"].map((column) => `${column} ${way}`)
    // The columns equal the values, written so that only the list's own index has its order. For
    // values of few rows, a plan for any values would walk the whole primary key.
    return {
      sql: `SELECT ${selection} FROM payport.${name}
        WHERE ${conditions.join(" AND ")} ORDER BY ${sorted.join()}${most()}`,
      parameters,
    }
  }
  const page = (listed: string): string => `ORDER BY ${listed}.id ${way}${most()}`
  if (wanted.some(({ isOne }) => isOne)) {
    const conditions = wanted.map(({ column, isOne, text, type }) =>
      isOne
        ? `${name}.${column} = ${given(text, type)}`
        : `${name}.${column} = ANY (${given(text, `${type}[]`)})`,
    )
    return {
      sql: `SELECT ${selection} FROM payport.${name}
        WHERE ${[...conditions, ...begin(name)].join(" AND ")} ${page(name)}`,
      parameters,
    }
  }
  const choices = wanted.map(
    ({ column, text, type }) => `unnest(${given(text, `${type}[]`)}) AS of_${column} (${column})`,
  )
  const chosen = wanted.map(({ column }) => `listed.${column} = of_${column}.${column}`)
  return {
    sql: `SELECT ${selection} FROM ${choices.join(" CROSS JOIN ")}
      CROSS JOIN LATERAL (SELECT listed.* FROM payport.${name} AS listed
        WHERE ${[...chosen, ...begin("listed")].join(" AND ")} ${page("listed")}) AS ${name}
      ${page(name)}`,
    parameters,
  }
}

/** The most records that one statement reads. */
const MOST_TOGETHER = 64

/** Reads a record by its bare id. Calls at the same time share one statement. */
const finderOf = <A>({ reads }: ReadPools, table: Table<A>, kind: Kind) => {
  const rowOf = together<string, Row | undefined, StoreUnavailable>({
    most: MOST_TOGETHER,
    alone: (id) => Effect.map(ask(reads, RECORD_SQL.byId[kind], [id]), ([row]) => row),
    all: (ids) =>
      Effect.map(ask(reads, RECORD_SQL.byIds[kind], [`{${ids.join()}}`]), (rows) => {
        const found = new Map(rows.map((row) => [String(row["id"]), row]))
        return ids.map((id) => found.get(id))
      }),
  })
  // Each caller gets its own record, and a row that cannot be read fails only those who asked.
  return (id: string): Effect.Effect<A | undefined, StoreUnavailable> =>
    Effect.map(rowOf(id), (row) => row && table.fromRow(row))
}

/** Reads records by id, by unique name and as lists. */
export const recordReads = (database: ReadPools): Reads => {
  const { reads, work } = database
  const finders = new Map(
    TABLES.map((table: AnyTable) => [table.kind, finderOf(database, table, table.kind)]),
  )
  return {
    find: <K extends Kind>(kind: K, id: string) => {
      const table: Table<Records[K]> = tableOf(kind)
      if (!isIdOf(table, id)) return Effect.succeed(undefined)
      const find = finders.get(kind) as ReturnType<typeof finderOf<Records[K]>> | undefined
      return find === undefined ? Effect.succeed(undefined) : find(bareId(table.prefix, id))
    },
    findMany: <K extends Kind>(kind: K, ids: ReadonlyArray<string>) => {
      const table: Table<Records[K]> = tableOf(kind)
      const bare = ids.filter((id) => isIdOf(table, id)).map((id) => bareId(table.prefix, id))
      if (bare.length === 0) return Effect.succeed([])
      return Effect.map(ask(work, RECORD_SQL.byIds[kind], [`{${bare.join()}}`]), allOf(table))
    },
    findBy: <K extends NamedKind>(kind: K, name: NamedBy<K>) => {
      const statement = nameStatement(kind, name)
      if (statement === undefined) return Effect.succeed(undefined)
      return Effect.map(
        ask(reads, statement.sql, statement.parameters),
        firstOf<Records[K]>(tableOf(kind)),
      )
    },
    list: <K extends ListedKind>(kind: K, query: ListQuery<K>) => {
      const statement = listStatement(kind, query)
      if (statement === undefined) return Effect.succeed([])
      // Short reads are for decisions of verbs. Reads of pages may take longer.
      const pool = query.limit === undefined || query.limit === 1 ? reads : work
      return Effect.map(
        ask(pool, statement.sql, statement.parameters),
        allOf<Records[K]>(tableOf(kind)),
      )
    },
    scan: <K extends Kind>(
      kind: K,
      { after, limit }: { readonly after: string | undefined; readonly limit: number },
    ) => {
      const table: Table<Records[K]> = tableOf(kind)
      const behind = after === undefined ? FIRST : bareId(table.prefix, after)
      return Effect.map(ask(work, RECORD_SQL.inOrder[kind], [behind, limit]), allOf(table))
    },
  }
}
