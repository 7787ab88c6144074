import { Effect } from "effect"
import { expect } from "../expect.ts"
import { Store } from "../../../../core/ports/Store.ts"
import type { ServiceSearch } from "../../../../core/registry/ServiceSearch.ts"
import type { ManifestStatus } from "../../../../core/registry/ServiceManifest.ts"
import { aService, id, T0, uuid } from "../records/index.ts"
import { type StoreCheck, insert, replace, store, upTo } from "./probe.ts"
import { hostile, questions } from "./searchQuestions.ts"

type Said = Parameters<typeof aService>[0]

const seller = id("acct", 1)
const stranger = id("acct", 2)

/** Higher numbers are newer. */
const catalog = [
  aService({ n: 1, name: "Weather Oracle", description: "Forecasts.", tags: ["rain", "storm"] }),
  aService({ n: 2, name: "Storm Watch", description: "Rain alerts.", tags: ["alerts"] }),
  aService({ n: 3, name: "Umbrella Shop", description: "For storm and rain.", tags: ["retail"] }),
  aService({
    n: 4,
    name: "Pay-per-use Übersetzung",
    description: "中文 to German",
    tags: ["café"],
  }),
  aService({
    n: 5,
    name: "Payroll",
    description: "Pays people.",
    tags: [],
    accepted_channels: ["wallet_b"],
    payment_methods: { one_time: false, subscription: true },
  }),
].map((service, n) => ({ ...service, created_at: T0 + n, updated_at: T0 + n }))

const asked: ServiceSearch = { status: "active", viewer: stranger, limit: 100, offset: 0 }

const numbers = (services: ReadonlyArray<{ readonly id: string }>): ReadonlyArray<number> =>
  services.map((service) => upTo(99).find((n) => uuid(n) === service.id) ?? 0)

const find = (search: Partial<ServiceSearch>) =>
  Effect.gen(function* () {
    const port = yield* Store
    const { data, total } = yield* port.searchServices({ ...asked, ...search })
    return { found: numbers(data), total }
  })

const fill = store(...catalog.map((service) => insert("service", service)))

const none = { one_time: false }

/** Higher numbers are newer. */
const priced = [
  { pricing: { one_time: [{ amount: 500, currency: "USD", label: "One" }] } },
  { pricing: { one_time: [900, 90].map((amount) => ({ amount, currency: "EUR", label: "One" })) } },
  {
    payment_methods: { ...none, subscription: true },
    pricing: {
      subscription: [
        {
          plan_id: "p",
          name: "P",
          amount: 400,
          currency: "USD",
          interval: "monthly",
          features: [],
        },
      ],
    },
  },
  {
    payment_methods: { ...none, cumulative: true },
    pricing: { cumulative: { unit: "call", rate: "2.5", billing_cycle: "monthly" } },
  },
].map((said, n) => aService({ n: n + 1, created_at: T0 + n, ...said } as Said))

/** Price filters, and the numbers of the services that they find. */
const prices: ReadonlyArray<readonly [Partial<ServiceSearch>, ReadonlyArray<number>]> = [
  [{ price: {} }, [4, 3, 2, 1]],
  [{ price: { at_most: 499 } }, [4, 3, 2]],
  [{ price: { at_most: 500 } }, [4, 3, 2, 1]],
  [{ price: { at_most: 2 } }, []],
  [{ price: { at_most: 3 } }, [4]],
  [{ price: { currency: "USD" } }, [4, 3, 1]],
  [{ price: { currency: "EUR", at_most: 500 } }, [2]],
  [{ price: { currency: "EUR", at_most: 89 } }, []],
  [{ price: { at_most: 450 }, payment_method: "subscription" }, [3]],
  [{ price: { at_most: 450 }, payment_method: "one_time" }, [2]],
  [{ ids: [uuid(2), uuid(3), uuid(77)] }, [3, 2]],
  [{ ids: [uuid(2), "no id"], q: "nothing" }, []],
  [{ ids: [] }, []],
]

/** Who sees a manifest of seller 1 in each status when asking for that status. */
const visibility: ReadonlyArray<readonly [ManifestStatus, owner: boolean, stranger: boolean]> = [
  ["draft", true, false],
  ["active", true, true],
  ["paused", true, false],
  ["deprecated", true, true],
  ["deleted", true, false],
]

/** Checks the search for manifests. */
export const search = (check: StoreCheck): unknown =>
  check.group("search", () => {
    check("finds words and beginnings of words, best first, then newest", () =>
      Effect.gen(function* () {
        yield* fill
        for (const [q, found] of questions) {
          const answer = yield* find(q === undefined ? {} : { q })
          expect(answer, JSON.stringify(q)).toStrictEqual({ found, total: found.length })
        }
      }),
    )

    check("finds what has every word of the question, in any order", () =>
      Effect.gen(function* () {
        yield* fill
        for (const q of ["storm rain", "rain   storm", "ra,sto", "Rain & Storm"]) {
          const { found, total } = yield* find({ q })
          expect([found.toSorted((a, b) => a - b), total], q).toStrictEqual([[1, 2, 3], 3])
        }
        expect((yield* find({ q: "rain storm oracle" })).found).toStrictEqual([1])
      }),
    )

    check("has the words in names first, then those in tags, then the newest", () =>
      Effect.gen(function* () {
        const said = [
          { name: "Storm rain", description: "Old." },
          { name: "Storm", tags: ["rain"], description: "Tagged." },
          { name: "Storm", description: "Rain." },
          { name: "News", tags: ["storm", "rain"], description: "Tagged." },
          { name: "News", description: "Storm and rain." },
          { name: "News", description: "Rain and storm." },
        ].map((one, n) => aService({ tags: [], ...one, n: n + 1, created_at: T0 + n }))
        const named = said.map((one, n) => ({ ...one, name_key: `${n}` }))
        yield* store(...named.map((service) => insert("service", service)))
        const { found } = yield* find({ q: "storm rain" })
        expect(found).toStrictEqual([1, 2, 3, 4, 6, 5])
        expect((yield* find({ q: "rain storm", offset: 2, limit: 3 })).found).toStrictEqual([
          3, 4, 6,
        ])
      }),
    )

    check("answers questions that are no words without an error", () =>
      Effect.gen(function* () {
        yield* fill
        for (const q of hostile) {
          const { found, total } = yield* find({ q })
          expect(found.length, JSON.stringify(q)).toBe(total)
        }
      }),
    )

    check("gives back whole manifests", () =>
      Effect.gen(function* () {
        const port = yield* Store
        yield* fill
        const { data } = yield* port.searchServices({ ...asked, q: "payroll" })
        expect(data).toStrictEqual([catalog[4]])
      }),
    )

    check("filters by channel and payment method", () =>
      Effect.gen(function* () {
        yield* fill
        expect((yield* find({ channel: "wallet_a" })).found).toStrictEqual([4, 3, 2, 1])
        expect((yield* find({ channel: "wallet_b" })).found).toStrictEqual([5, 4, 3, 2, 1])
        expect((yield* find({ channel: "wallet" })).found).toStrictEqual([])
        expect((yield* find({ payment_method: "one_time" })).found).toStrictEqual([4, 3, 2, 1])
        expect((yield* find({ payment_method: "subscription" })).found).toStrictEqual([5])
        expect((yield* find({ payment_method: "cumulative" })).found).toStrictEqual([])
        expect((yield* find({ q: "pay", channel: "wallet_a" })).found).toStrictEqual([4])
      }),
    )

    check("filters by price, and by ids", () =>
      Effect.gen(function* () {
        yield* store(...priced.map((service) => insert("service", service)))
        for (const [said, found] of prices) {
          expect(yield* find(said), JSON.stringify(said)).toStrictEqual({
            found,
            total: found.length,
          })
        }
      }),
    )

    check("finds only the viewer's own, if that is asked for", () =>
      Effect.gen(function* () {
        const other = { ...aService({ n: 9, name: "Another's storm" }), account_id: stranger }
        yield* fill
        yield* store(insert("service", other))
        const own = { own: true } as const
        expect(yield* find({ ...own, viewer: stranger })).toStrictEqual({ found: [9], total: 1 })
        expect(yield* find({ ...own, viewer: seller, q: "storm", limit: 2 })).toStrictEqual({
          found: [2, 1],
          total: 3,
        })
        expect(yield* find({ ...own, viewer: stranger, q: "rain" })).toStrictEqual({
          found: [],
          total: 0,
        })
        expect(yield* find({ ...own, viewer: id("acct", 3) })).toStrictEqual({
          found: [],
          total: 0,
        })
        expect(yield* find({ ...own, viewer: "" })).toStrictEqual({ found: [], total: 0 })
      }),
    )

    check("keeps a seller from crowding a page, and counts all the same", () =>
      Effect.gen(function* () {
        const shops = upTo(9).map((n) =>
          aService({
            n,
            name: n === 2 ? "Rain shop" : `Shop ${n}`,
            description: "Sells rain.",
            account_id: id("acct", n <= 6 ? 1 : n),
            created_at: T0 + n,
          }),
        )
        yield* store(...shops.map((service) => insert("service", service)))
        const crowds: ReadonlyArray<readonly [Partial<ServiceSearch>, ReadonlyArray<number>]> = [
          [{ most_of_seller: 2 }, [9, 8, 7, 6, 5]],
          [{ most_of_seller: 1 }, [9, 8, 7, 6]],
          [{ most_of_seller: 9 }, [9, 8, 7, 6, 5, 4, 3, 2, 1]],
          [{ q: "rain", most_of_seller: 2 }, [2, 9, 8, 7, 6]],
          [{ q: "rain", most_of_seller: 2, limit: 2, offset: 2 }, [8, 7]],
        ]
        for (const [said, found] of crowds) {
          expect(yield* find(said), JSON.stringify(said)).toStrictEqual({ found, total: 9 })
        }
      }),
    )

    check("pages, with the total, also past the end", () =>
      Effect.gen(function* () {
        yield* fill
        expect(yield* find({ limit: 2 })).toStrictEqual({ found: [5, 4], total: 5 })
        expect(yield* find({ limit: 2, offset: 2 })).toStrictEqual({ found: [3, 2], total: 5 })
        expect(yield* find({ limit: 2, offset: 4 })).toStrictEqual({ found: [1], total: 5 })
        expect(yield* find({ limit: 2, offset: 5 })).toStrictEqual({ found: [], total: 5 })
        expect(yield* find({ offset: 1_000_000 })).toStrictEqual({ found: [], total: 5 })
        expect(yield* find({ q: "storm", limit: 1, offset: 1 })).toStrictEqual({
          found: [1],
          total: 3,
        })
      }),
    )

    for (const [status, toOwner, toStranger] of visibility) {
      check(`shows ${status} manifests to ${toStranger ? "everybody" : "their owner alone"}`, () =>
        Effect.gen(function* () {
          const others = visibility.map(([other], n) =>
            aService({ n: n + 1, status: other, name: `Thing ${n}` }),
          )
          yield* store(...others.map((service) => insert("service", service)))
          const n = visibility.findIndex(([other]) => other === status) + 1
          for (const q of [{}, { q: "thing" }]) {
            expect((yield* find({ status, viewer: seller, ...q })).found).toStrictEqual(
              toOwner ? [n] : [],
            )
            expect(yield* find({ status, viewer: stranger, ...q })).toStrictEqual({
              found: toStranger ? [n] : [],
              total: toStranger ? 1 : 0,
            })
          }
        }),
      )
    }

    check("follows a change of the manifest at once", () =>
      Effect.gen(function* () {
        yield* fill
        const [first] = catalog
        yield* store(replace("service", { ...first!, name: "Tides", tags: ["sea"] }))
        expect((yield* find({ q: "oracle" })).found).toStrictEqual([])
        expect((yield* find({ q: "sea tides" })).found).toStrictEqual([1])
        yield* store(replace("service", { ...first!, status: "paused", version: 2 }))
        expect((yield* find({ q: "weather" })).found).toStrictEqual([])
      }),
    )
  })
