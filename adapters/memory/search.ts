import {
  MOST_SCORED,
  searchEntries,
  type SearchPlace,
  searchPrefixes,
} from "../../core/registry/SearchEntries.ts"
import { hasPrice } from "../../core/registry/PriceFilter.ts"
import { type ServiceSearch, uncrowded } from "../../core/registry/ServiceSearch.ts"
import type { ManifestStatus, ServiceManifest } from "../../core/registry/ServiceManifest.ts"

/** What an entry counts that stands in the name, the tags or the description. */
const SCORES: { readonly [P in SearchPlace]: number } = { name: 100, tags: 10, description: 1 }

const PRIVATE: ReadonlySet<ManifestStatus> = new Set(["draft", "paused", "deleted"])

type Entries = ReturnType<typeof searchEntries>

const known = new WeakMap<ServiceManifest, Entries>()

const entriesOf = (service: ServiceManifest): Entries => {
  const found = known.get(service)
  if (found !== undefined) return found
  const entries = searchEntries(service)
  known.set(service, entries)
  return entries
}

/** The heaviest place where something begins so; entries come heaviest first. */
const placeOf = (entries: Entries, prefix: string): SearchPlace | undefined => {
  for (const [entry, place] of entries) if (entry.startsWith(prefix)) return place
  return undefined
}

/** How well the manifest answers; 0 when a word of the question begins none of its own. */
const score = (service: ServiceManifest, asked: ReadonlyArray<string>): number => {
  let sum = 0
  for (const [n, prefix] of asked.entries()) {
    const best = placeOf(entriesOf(service), prefix)
    if (best === undefined) return 0
    if (n < MOST_SCORED) sum += SCORES[best]
  }
  return sum
}

const isVisible = (service: ServiceManifest, search: ServiceSearch): boolean =>
  service.status === search.status &&
  (!PRIVATE.has(service.status) || service.account_id === search.viewer) &&
  (search.channel === undefined || service.accepted_channels.includes(search.channel)) &&
  (search.payment_method === undefined ||
    service.payment_methods[search.payment_method] === true) &&
  (search.price === undefined || hasPrice(service, search.price, search.payment_method)) &&
  (search.ids === undefined || search.ids.includes(service.id))

/** What a search finds: best first, then newest. A question without words asks for everything. */
export const searchServices = (services: Iterable<ServiceManifest>, search: ServiceSearch) => {
  const asked = searchPrefixes(search.q ?? "")
  const hits: Array<{ readonly service: ServiceManifest; readonly score: number }> = []
  for (const service of services) {
    if (!isVisible(service, search)) continue
    const reached = score(service, asked)
    if (asked.length === 0 || reached > 0) hits.push({ service, score: reached })
  }
  hits.sort(
    (a, b) =>
      b.score - a.score ||
      b.service.created_at - a.service.created_at ||
      (a.service.id < b.service.id ? 1 : -1),
  )
  const found = hits.map(({ service }) => service)
  const { limit, most_of_seller: most, offset } = search
  const shown = most === undefined ? found : uncrowded(found, most)
  return { data: shown.slice(offset, offset + limit), total: found.length }
}
