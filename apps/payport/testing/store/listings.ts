import { Effect } from "effect"
import type { Listing } from "../../../../core/listings/Listing.ts"
import type { ListingSearch } from "../../../../core/listings/ListingSearch.ts"
import { Store } from "../../../../core/ports/Store.ts"
import { expect } from "../expect.ts"
import { aListing, aService, hash, id, OFFERED, uuid } from "../records/index.ts"
import { insert, replace, store, type StoreCheck, tryCommit, upTo } from "./probe.ts"

const numbers = (listings: ReadonlyArray<Listing>) =>
  listings.map((listing) => upTo(99).find((n) => id("lst", n) === listing.id) ?? 0)

const find = (search: Partial<ListingSearch> = {}) =>
  Effect.gen(function* () {
    const { data, total } = yield* (yield* Store).searchListings({
      limit: 100,
      offset: 0,
      ...search,
    })
    return { found: numbers(data), total }
  })

const second = { account_id: id("acct", 2), service_id: uuid(2) }

/** Listings of two sellers: verified, failed, and not yet verified. */
const bazaar: ReadonlyArray<Listing> = [
  aListing({ n: 1, standing: "silent", reason: "timeout", misses: 3 }),
  aListing({ n: 2 }),
  aListing({ n: 3, offered: { ...OFFERED, scheme: "payport", declared: null } }),
  aListing({ n: 4, standing: "unproven", offered: null, probed_at: null }),
  aListing({ n: 5, ...second, place: 1 }),
  aListing({
    n: 6,
    ...second,
    place: 2,
    standing: "priced_differently",
    seen: { currency: "EUR", value: 1 },
    misses: 1,
  }),
]

const service = (n: number) => aService({ n, account_id: id("acct", n), status: "active" })

const filled = store(
  ...[1, 2].map((n) => insert("service", service(n))),
  ...bazaar.map((record) => insert("listing", record)),
)

/** Checks the search for resources that are sold by x402. */
export const listings = (check: StoreCheck): void => {
  check.group("listings", () => {
    check("are read as they were stored", () =>
      Effect.gen(function* () {
        yield* filled
        const port = yield* Store
        for (const record of bazaar) {
          expect(yield* port.find("listing", record.id)).toStrictEqual(record)
        }
        const { key, service_id } = aListing({ n: 3 })
        expect(yield* port.findBy("listing", { service_id, key })).toStrictEqual(bazaar[2])
        const fallen = { service_id: [uuid(1), uuid(2)], standing: ["silent" as const] }
        expect(numbers(yield* port.list("listing", { by: fallen }))).toStrictEqual([1])
      }),
    )

    check("are found by what holds, then each seller's first before anybody's second", () =>
      Effect.gen(function* () {
        yield* filled
        expect(yield* find()).toStrictEqual({ found: [5, 2, 3, 1, 6], total: 5 })
        expect(yield* find({ limit: 2, offset: 1 })).toStrictEqual({ found: [2, 3], total: 5 })
        const [first] = (yield* (yield* Store).searchListings({ limit: 1, offset: 0 })).data
        expect(first).toStrictEqual(bazaar[4])
        expect(yield* find({ offset: 9 })).toStrictEqual({ found: [], total: 5 })
        const mine = yield* find({ service_id: uuid(2) })
        expect(mine).toStrictEqual({ found: [5, 6], total: 2 })
        expect(yield* find({ scheme: "payport" })).toStrictEqual({ found: [3], total: 1 })
        expect((yield* find({ declared: true })).found).not.toContain(3)
      }),
    )

    check("of a service that is not active are not found", () =>
      Effect.gen(function* () {
        yield* filled
        yield* store(replace("service", { ...service(1), status: "paused" }))
        expect(yield* find()).toStrictEqual({ found: [5, 6], total: 2 })
      }),
    )

    check("have a place and a resource that no other has", () =>
      Effect.gen(function* () {
        yield* filled
        const taken = [aListing({ n: 9, place: 2 }), aListing({ n: 9, key: hash(2) })]
        for (const record of taken) {
          expect(yield* tryCommit({ writes: [insert("listing", record)] })).toMatchObject({
            type: "key_taken",
          })
        }
      }),
    )
  })
}
