import { searchPrefixes } from "../../core/registry/SearchEntries.ts"
import { rankedOf } from "../../core/registry/ServiceMatch.ts"
import { type ServiceSearch, uncrowded } from "../../core/registry/ServiceSearch.ts"
import type { ServiceManifest } from "../../core/registry/ServiceManifest.ts"

/** Returns the services that match: best first, then newest. A search without words matches all. */
export const searchServices = (services: Iterable<ServiceManifest>, search: ServiceSearch) => {
  const ranked = rankedOf(services, search, searchPrefixes(search.q ?? ""))
  const found = ranked.map(({ service }) => service)
  const { limit, most_of_seller: most, offset } = search
  const shown = most === undefined ? found : uncrowded(found, most)
  return { data: shown.slice(offset, offset + limit), total: found.length }
}
