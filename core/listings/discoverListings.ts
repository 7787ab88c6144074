import { Effect } from "effect"
import { Store } from "../ports/Store.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { isUuid } from "../shared/Id.ts"
import type { Listing } from "./Listing.ts"
import { type ListingSearch, MOST_COUNTED } from "./ListingSearch.ts"

/** A public listing with its service. */
export interface Discovered {
  readonly listing: Listing
  readonly service: ServiceManifest
}

/**
 * Lists resources sold by x402 that a probe has confirmed, a page at a time. Those that are not
 * confirmed now come last, and the first listing of every seller comes before any second.
 */
export const discoverListings = Effect.fn("discoverListings")(function* (search: ListingSearch) {
  const { service_id } = search
  if (service_id !== undefined && !isUuid(service_id)) return { data: [], total: 0 }
  const store = yield* Store
  const offset = Math.min(search.offset, MOST_COUNTED)
  const { data, total } = yield* store.searchListings({ ...search, offset })
  const ids = [...new Set(data.map((listing) => listing.service_id))]
  const found = yield* store.findMany("service", ids)
  const services = new Map(found.map((service) => [service.id, service]))
  return {
    data: data.flatMap((listing): ReadonlyArray<Discovered> => {
      const service = services.get(listing.service_id)
      return service === undefined ? [] : [{ listing, service }]
    }),
    total,
  }
})
