import { Effect } from "effect"
import type { Store } from "../../../core/ports/Store.ts"
import { isAmongOwn } from "../../../core/registry/ServiceMatch.ts"
import type { ServiceSearch } from "../../../core/registry/ServiceSearch.ts"
import { isId } from "../../../core/shared/Id.ts"
import { ask, type ReadPools } from "../database.ts"
import { foundOf } from "../reads/rows.ts"
import { services } from "../tables/services.ts"
import { SearchIndex } from "./SearchIndex.ts"
import { searchStatement } from "./searchStatement.ts"

type Reads = Pick<Store["Service"], "searchServices">

/** The number of loose manifests from which on the tables are searched instead. */
const MOST_LOOSE = 2_000

/** Whether blocks answer the search. A search among few manifests reads those. */
const isInBlocks = (search: ServiceSearch): boolean =>
  search.ids === undefined && !isAmongOwn(search)

/**
 * Searches the registry. `wake` is called if the index is so far behind that a search could not use
 * it.
 */
export const searchReads = (
  database: ReadPools,
  wake: () => void,
  mostLoose = MOST_LOOSE,
): Reads => {
  const index = new SearchIndex(database, wake, mostLoose)
  const inTables = (search: ServiceSearch) => {
    const { parameters, sql } = searchStatement(search)
    return Effect.map(ask(database.work, sql, parameters), foundOf(services))
  }
  return {
    searchServices: (search) => {
      if (!isId("acct", search.viewer) && isAmongOwn(search)) {
        return Effect.succeed({ data: [], total: 0 })
      }
      if (!isInBlocks(search)) return inTables(search)
      return Effect.flatMap(index.search(search), (found) =>
        found === undefined ? inTables(search) : Effect.succeed(found),
      )
    },
  }
}
