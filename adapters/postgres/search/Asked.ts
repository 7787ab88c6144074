import { searchPrefixes } from "../../../core/registry/SearchEntries.ts"
import type { ServiceSearch } from "../../../core/registry/ServiceSearch.ts"
import { filterEntry, priceEntry } from "./BlockBuilder.ts"
import { entryKey } from "./blockRows.ts"

/** The part of a search that the entries of a block answer. */
export interface Asked {
  readonly prefixes: ReadonlyArray<string>
  /** The keys of all filters that must match, and the highest price. */
  readonly filters: ReadonlyArray<string>
  readonly price: { readonly entry: string; readonly most: number } | undefined
}

export const askedOf = ({ channel, payment_method, price, q, status }: ServiceSearch): Asked => ({
  prefixes: searchPrefixes(q ?? ""),
  filters: [
    filterEntry.status(status),
    ...(channel === undefined ? [] : [filterEntry.channel(channel)]),
    ...(payment_method === undefined ? [] : [filterEntry.method(payment_method)]),
  ].map((entry) => entryKey("filter", entry)),
  price:
    price === undefined
      ? undefined
      : {
          entry: entryKey("column", priceEntry(payment_method, price.currency)),
          most: price.at_most ?? Infinity,
        },
})
