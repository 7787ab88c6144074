import type { Listing } from "../../core/listings/Listing.ts"
import { type ListingSearch, MOST_COUNTED } from "../../core/listings/ListingSearch.ts"
import type { ServiceManifest } from "../../core/registry/ServiceManifest.ts"

const isAsked = ({ offered, service_id, standing }: Listing, search: ListingSearch): boolean =>
  standing !== "unproven" &&
  (search.service_id === undefined || service_id === search.service_id) &&
  (search.scheme === undefined || offered?.scheme === search.scheme) &&
  (search.declared !== true || offered?.declared != null)

const fallen = ({ standing }: Listing): number => (standing === "live" ? 0 : 1)

/** Returns the listings that match a search, in the order of listings. */
export const searchListings = (
  listings: Iterable<Listing>,
  serviceOf: (id: string) => ServiceManifest | undefined,
  search: ListingSearch,
) => {
  const found = [...listings]
    .filter((one) => isAsked(one, search) && serviceOf(one.service_id)?.status === "active")
    .toSorted((a, b) => fallen(a) - fallen(b) || a.place - b.place || (a.id < b.id ? -1 : 1))
  const { limit, offset } = search
  return { data: found.slice(offset, offset + limit), total: Math.min(found.length, MOST_COUNTED) }
}
