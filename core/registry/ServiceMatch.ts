import { hasPrice } from "./PriceFilter.ts"
import { MOST_SCORED } from "./SearchEntries.ts"
import type { ManifestStatus, ServiceManifest } from "./ServiceManifest.ts"
import type { ServiceSearch } from "./ServiceSearch.ts"
import { placeOf, type SortedEntries, sortedEntries } from "./SortedEntries.ts"

const PRIVATE: ReadonlySet<ManifestStatus> = new Set(["draft", "paused", "deleted"])

/** Tells whether a search finds only the viewer's services, by what it asks for. */
export const isAmongOwn = ({ own, status }: Pick<ServiceSearch, "own" | "status">): boolean =>
  own === true || PRIVATE.has(status)

/** The entries of each manifest, computed once. */
const known = new WeakMap<ServiceManifest, SortedEntries>()

const entriesOf = (service: ServiceManifest): SortedEntries => {
  const found = known.get(service)
  if (found !== undefined) return found
  const entries = sortedEntries(service)
  known.set(service, entries)
  return entries
}

/** How well a service matches a query; higher is better, and `named` is compared first. */
export interface Rank {
  /** How many words of the query are in the name. */
  readonly named: number
  /** How many are in the name or in the tags. */
  readonly labelled: number
}

/**
 * Ranks a service for the prefixes of a query (`searchPrefixes`); undefined when an entry for one
 * of them is missing.
 */
export const rankOf = (
  service: ServiceManifest,
  asked: ReadonlyArray<string>,
): Rank | undefined => {
  const entries = entriesOf(service)
  let named = 0
  let labelled = 0
  for (const [n, prefix] of asked.entries()) {
    const place = placeOf(entries, prefix)
    if (place === undefined) return undefined
    if (n >= MOST_SCORED || place === "description") continue
    labelled += 1
    if (place === "name") named += 1
  }
  return { named, labelled }
}

/** Tells whether a service matches the filters of a search, without its words. */
export const isAskedFor = (service: ServiceManifest, search: ServiceSearch): boolean =>
  service.status === search.status &&
  (!isAmongOwn(search) || service.account_id === search.viewer) &&
  (search.channel === undefined || service.accepted_channels.includes(search.channel)) &&
  (search.payment_method === undefined ||
    service.payment_methods[search.payment_method] === true) &&
  (search.price === undefined || hasPrice(service, search.price, search.payment_method)) &&
  (search.ids === undefined || search.ids.includes(service.id))

/** A found service with its rank. */
export interface Ranked {
  readonly service: ServiceManifest
  readonly rank: Rank
}

/** Compares by age, older first; at the same time, by id. */
export const byAge = (
  a: Pick<ServiceManifest, "created_at" | "id">,
  b: Pick<ServiceManifest, "created_at" | "id">,
): number => a.created_at - b.created_at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** Compares by rank, the worse first. */
export const byRank = (a: Rank, b: Rank): number => a.named - b.named || a.labelled - b.labelled

/** Compares by rank and age, the best and newest first. */
export const bestFirst = (a: Ranked, b: Ranked): number =>
  byRank(b.rank, a.rank) || byAge(b.service, a.service)

/** Returns the services that a search finds: best first, then newest. */
export const rankedOf = (
  services: Iterable<ServiceManifest>,
  search: ServiceSearch,
  asked: ReadonlyArray<string>,
): ReadonlyArray<Ranked> => {
  const found: Array<Ranked> = []
  for (const service of services) {
    if (!isAskedFor(service, search)) continue
    const rank = rankOf(service, asked)
    if (rank !== undefined) found.push({ service, rank })
  }
  return found.sort(bestFirst)
}
