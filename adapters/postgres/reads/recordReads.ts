import { Effect } from "effect"
import type { Kind, Records, Store } from "../../../core/ports/Store.ts"
import { isId, isUuid } from "../../../core/shared/Id.ts"
import { ask, type Database } from "../database.ts"
import { tableOf, TABLES } from "../tables.ts"
import { bareId } from "../tables/codecs.ts"
import type { Table } from "../tables/Table.ts"
import { firstOf } from "./rows.ts"

type Reads = Pick<Store["Service"], "find" | "findMany">

const byId = ({ name, selection }: Table<Records[Kind]>) =>
  `SELECT ${selection} FROM ${name} WHERE id = $1::uuid`

const byIds = ({ name, selection }: Table<Records[Kind]>) =>
  `SELECT ${selection} FROM ${name} WHERE id = ANY ($1::uuid[])`

const perKind = (sql: (table: Table<Records[Kind]>) => string) =>
  Object.fromEntries(TABLES.map((table) => [table.kind, sql(table)])) as Record<Kind, string>

/** The statements of these questions, by kind of record. */
export const RECORD_SQL = { byId: perKind(byId), byIds: perKind(byIds) }

const isIdOf = ({ prefix }: Table<Records[Kind]>, id: string): boolean =>
  prefix === null ? isUuid(id) : isId(prefix, id)

/** Questions for records by their ids. */
export const recordReads = ({ reads, work }: Database): Reads => ({
  find: <K extends Kind>(kind: K, id: string) => {
    const table: Table<Records[K]> = tableOf(kind)
    if (!isIdOf(table, id)) return Effect.succeed(undefined)
    return Effect.map(ask(reads, RECORD_SQL.byId[kind], [bareId(table.prefix, id)]), firstOf(table))
  },
  findMany: <K extends Kind>(kind: K, ids: ReadonlyArray<string>) => {
    const table: Table<Records[K]> = tableOf(kind)
    const bare = ids.filter((id) => isIdOf(table, id)).map((id) => bareId(table.prefix, id))
    if (bare.length === 0) return Effect.succeed([])
    return Effect.map(ask(work, RECORD_SQL.byIds[kind], [`{${bare.join()}}`]), (rows) =>
      rows.map((row) => table.fromRow(row)),
    )
  },
})
