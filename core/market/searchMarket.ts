import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { findNotHeld } from "../listings/notHeld.ts"
import { Store } from "../ports/Store.ts"
import { searchPrefixes } from "../registry/SearchEntries.ts"
import { searchWords } from "../registry/ServiceQuery.ts"
import type { ServiceSearch } from "../registry/ServiceSearch.ts"
import { invalidField } from "../shared/Failure.ts"
import { type MarketInput, USUALLY_FOUND } from "./MarketInput.ts"
import { offerLine } from "./Offer.ts"

/** The most services of one seller on a page. */
const MOST_OF_SELLER = 2

/**
 * The most words that are searched one by one if all together find nothing: the longest, since the
 * short ones of a sentence say least.
 */
const MOST_WORDS = 8

/**
 * Returns the words of a query with common results, the rarest first. A word that no service has
 * does not hide services that have the others.
 */
const wordsThatFind = Effect.fnUntraced(function* (search: ServiceSearch, q: string) {
  const store = yield* Store
  const words = [...new Set(q.split(" "))]
    .filter((word) => searchPrefixes(word).length > 0)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MOST_WORDS)
  if (words.length < 2) return undefined
  const totalOf = (asked: string) =>
    Effect.map(store.searchServices({ ...search, q: asked, limit: 1 }), ({ total }) => total)
  const counted = yield* Effect.forEach(words, (word) =>
    Effect.map(totalOf(word), (total) => ({ word, total })),
  )
  const rarest = counted
    .filter(({ total }) => total > 0)
    .toSorted((a, b) => a.total - b.total)
    .map(({ word }) => word)
  let [kept] = rarest
  if (kept === undefined) return undefined
  for (const word of rarest.slice(1)) {
    if ((yield* totalOf(`${kept} ${word}`)) > 0) kept = `${kept} ${word}`
  }
  return kept
})

/**
 * Says what of a search without results to ask for differently: only what it had. A restricted key
 * learns nothing of the services that it may not use.
 */
const otherSearches = (input: MarketInput<"search_services">, isRestricted: boolean): string => {
  const { currency, max_price, payment_method, query } = input
  const ways = [
    ...(query === undefined ? [] : ["with fewer or other words"]),
    ...(max_price === undefined ? [] : ["without max_price"]),
    ...(currency === undefined ? [] : ["with another currency"]),
    ...(payment_method === undefined ? [] : ["without payment_method"]),
  ]
  const last = ways.pop()
  if (last === undefined) {
    const none = isRestricted ? "None of the services that this key may use" : "No service"
    return `${none} is offered at the moment. Search again later.`
  }
  const all = ways.length === 0 ? last : `${ways.join(", ")} or ${last}`
  return `No service was found. Search ${all}.`
}

const nextOf = (
  input: MarketInput<"search_services">,
  isRestricted: boolean,
  total: number,
  shown: number,
  used: string | undefined,
): string => {
  if (total === 0) return otherSearches(input, isRestricted)
  const choose = "get_service returns all prices of a service. To buy, call pay or subscribe."
  if (used !== undefined) {
    return `No service has all words of the query. These have ${JSON.stringify(used)}. ${choose}`
  }
  return total > shown ? `${choose} To narrow the search, add words.` : choose
}

/**
 * Searches active services, best first, at most two of one seller. A restricted key finds only its
 * services. If no service has all words, searches with as many as possible.
 *
 * Fails with `INVALID_REQUEST` for a price without its currency.
 */
export const searchMarket = Effect.fn("searchMarket")(function* (
  { account, restrictions }: Caller,
  input: MarketInput<"search_services">,
) {
  const { currency, limit = USUALLY_FOUND, max_price, payment_method } = input
  if (max_price !== undefined && currency === undefined) {
    return yield* invalidField("currency", "is required with max_price")
  }
  const price =
    currency === undefined
      ? undefined
      : { currency, ...(max_price !== undefined && { at_most: max_price }) }
  const ids = restrictions?.services
  const q = searchWords(input.query)
  const search: ServiceSearch = {
    ...(q !== undefined && { q }),
    ...(payment_method !== undefined && { payment_method }),
    ...(price !== undefined && { price }),
    ...(ids !== undefined && { ids }),
    most_of_seller: MOST_OF_SELLER,
    status: "active",
    viewer: account.id,
    limit,
    offset: 0,
  }
  const store = yield* Store
  const first = yield* store.searchServices(search)
  const used = first.total === 0 && q !== undefined ? yield* wordsThatFind(search, q) : undefined
  const { data, total } =
    used === undefined ? first : yield* store.searchServices({ ...search, q: used })
  const notHeld = yield* findNotHeld(data.map(({ id }) => id))
  return {
    found: total,
    services: data.map((service) => offerLine(service, price, notHeld.get(service.id))),
    next: nextOf(input, ids !== undefined, total, data.length, used),
  }
})
