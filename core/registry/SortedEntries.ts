import { searchEntries, type SearchPlace } from "./SearchEntries.ts"
import type { ServiceManifest } from "./ServiceManifest.ts"

/** The entries of a service by their best field, each list sorted by UTF-16 code units. */
export type SortedEntries = { readonly [P in SearchPlace]: ReadonlyArray<string> }

/** The fields, best first. */
const PLACES = ["name", "tags", "description"] as const

/** Returns the entries by which a search finds a service, so that a prefix is found quickly. */
export const sortedEntries = (manifest: Pick<ServiceManifest, SearchPlace>): SortedEntries => {
  const lists = { name: Array<string>(), tags: Array<string>(), description: Array<string>() }
  for (const [entry, place] of searchEntries(manifest)) lists[place].push(entry)
  for (const place of PLACES) lists[place].sort()
  return lists
}

/** Tells by binary search whether one of the sorted entries begins with the prefix. */
const hasPrefix = (sorted: ReadonlyArray<string>, prefix: string): boolean => {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? "") < prefix) low = middle + 1
    else high = middle
  }
  return sorted[low]?.startsWith(prefix) === true
}

/** Returns the best field with an entry of that prefix; undefined without one. */
export const placeOf = (entries: SortedEntries, prefix: string): SearchPlace | undefined =>
  PLACES.find((place) => hasPrefix(entries[place], prefix))
