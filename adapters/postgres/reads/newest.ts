import type { PgPool } from "@effect/sql-pg"
import { Effect } from "effect"
import type { StoreUnavailable } from "../../../core/ports/Store.ts"
import { type IdPrefix, isId } from "../../../core/shared/Id.ts"
import { ask } from "../database.ts"
import { bareId, LAST_UUID } from "../tables/codecs.ts"
import type { Shape, Table } from "../tables/Table.ts"

/**
 * The newest records in a list: $1 is the owner of the list, $2 the id behind which the page
 * begins, $3 its length. `filter` narrows the list by parameters from $4 on.
 */
export const newestSql = (
  { name, selection }: Pick<Shape<never>, "name" | "selection">,
  owner = "account_id",
  filter = "",
): string => `SELECT ${selection} FROM ${name}
    WHERE ${owner} = $1::uuid AND id < $2::uuid${filter} ORDER BY id DESC LIMIT $3`

interface Page {
  readonly limit: number
  readonly starting_after?: string
}

/** The page of such a statement; it is empty where an id is not of its kind. */
export const newest = <R>(
  pool: PgPool.PgPool,
  table: Table<R>,
  sql: string,
  [prefix, owner]: readonly [IdPrefix, string],
  { limit, starting_after }: Page,
  ...more: ReadonlyArray<unknown>
): Effect.Effect<ReadonlyArray<R>, StoreUnavailable> => {
  const after = starting_after ?? `${table.prefix}_${LAST_UUID}`
  if (!isId(prefix, owner) || !after.startsWith(`${table.prefix}_`)) return Effect.succeed([])
  const parameters = [bareId(prefix, owner), bareId(table.prefix, after), limit, ...more]
  return Effect.map(ask(pool, sql, parameters), (rows) => rows.map((row) => table.fromRow(row)))
}
