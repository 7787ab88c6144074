import type { OwnQuery } from "../../core/shared/Page.ts"
import type { Table } from "./Table.ts"

/** The first records that match, at most `limit`. */
export const first = <A>(
  limit: number,
  records: Iterable<A>,
  matches: (record: A) => boolean = () => true,
): ReadonlyArray<A> => {
  const taken: Array<A> = []
  for (const record of records) {
    if (taken.length >= limit) break
    if (matches(record)) taken.push(record)
  }
  return taken
}

/** A page of what an account has, newest first. */
export const own = <R extends { readonly id: string; readonly version: number }>(
  table: Table<R>,
  { account_id, limit, starting_after }: OwnQuery,
): ReadonlyArray<R> => first(limit, table.listed(account_id, starting_after))
