import { Effect } from "effect"
import { type ListingSearch, MOST_COUNTED } from "../../../core/listings/ListingSearch.ts"
import type { Store } from "../../../core/ports/Store.ts"
import { ask, type ReadPools } from "../database.ts"
import { LISTING_ORDER, listings } from "../tables/listings.ts"
import { foundOf, type Statement } from "./rows.ts"

type Reads = Pick<Store["Service"], "searchListings">

/**
 * Returns the statement of a search. The page is read along the index of the order, and rows are
 * counted only as far as pages go. The first row has the total even if the page is empty.
 */
export const listingStatement = (search: ListingSearch): Statement => {
  const parameters: Array<unknown> = []
  const given = (value: unknown): string => `$${parameters.push(value)}`
  const conditions = ["standing <> 'unproven'"]
  if (search.service_id !== undefined) {
    conditions.push(`service_id = ${given(search.service_id)}::uuid`)
  }
  if (search.scheme !== undefined) {
    conditions.push(`offered->>'scheme' = ${given(search.scheme)}::text`)
  }
  if (search.declared === true) conditions.push("json_typeof(offered->'declared') = 'object'")
  const where = `${conditions.join(" AND ")} AND EXISTS (SELECT FROM payport.services
    WHERE services.id = listings.service_id AND services.status = 'active')`
  const page = `LIMIT ${given(search.limit)}::bigint OFFSET ${given(search.offset)}::bigint`
  return {
    sql: `WITH total AS (SELECT count(*) AS total FROM (
        SELECT FROM payport.listings WHERE ${where} LIMIT ${MOST_COUNTED}) AS counted),
      page AS (SELECT ${listings.selection} FROM payport.listings WHERE ${where}
        ORDER BY ${LISTING_ORDER} ${page})
      SELECT total.total, page.* FROM total LEFT JOIN page ON true ORDER BY ${LISTING_ORDER}`,
    parameters,
  }
}

/** Reads x402 listings. */
export const listingReads = ({ work }: ReadPools): Reads => ({
  searchListings: (search) => {
    const { parameters, sql } = listingStatement(search)
    return Effect.map(ask(work, sql, parameters), foundOf(listings))
  },
})
