import { describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import * as fc from "fast-check"
import { expect } from "vitest"
import { searchServices } from "../../../adapters/memory/search.ts"
import { accessTo } from "../../../adapters/postgres/access.ts"
import { openDatabase } from "../../../adapters/postgres/database.ts"
import { foldSearch } from "../../../adapters/postgres/search/foldSearch.ts"
import { searchReads } from "../../../adapters/postgres/search/searchReads.ts"
import * as PostgresStore from "../../../adapters/postgres/PostgresStore.ts"
import { aService, id, T0, uuid } from "../../../apps/payport/testing/records/index.ts"
import { Store } from "../../../core/ports/Store.ts"
import type { ServiceManifest } from "../../../core/registry/ServiceManifest.ts"
import type { ServiceSearch } from "../../../core/registry/ServiceSearch.ts"
import { testDatabase } from "../../support/postgres.ts"

const SMALL = { largest: 12, words: 40, least: 2, together: 2 }

/** Words with common prefixes, more than those without, and words in a script without spaces. */
const WORDS = [
  ...Array.from({ length: 12 }, (_, n) => `item${n}`),
  "storm",
  "stormy",
  "stork",
  "rain",
  "rainbow",
  "a",
  "ab",
  "中文翻译",
  "𐐀𐐁𐐂",
  "𐐀𐐃",
]
const word = fc.constantFrom(...WORDS)
const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "))

const price = fc.record({
  amount: fc.integer({ min: 1, max: 5 }).map((n) => n * 100),
  currency: fc.constantFrom("USD", "EUR"),
  label: fc.constant("One"),
})

const manifest = fc
  .record({
    n: fc.integer({ min: 1, max: 60 }),
    name: text,
    description: text,
    tags: fc.array(word, { maxLength: 2 }),
    status: fc.constantFrom("active", "active", "active", "active", "deprecated", "paused"),
    seller: fc.integer({ min: 1, max: 3 }),
    channels: fc.uniqueArray(fc.constantFrom("wallet_a", "wallet_b"), { minLength: 1 }),
    prices: fc.array(price, { maxLength: 2 }),
    cumulative: fc.boolean(),
  })
  .map(({ channels, cumulative, n, name, prices, seller, status, ...said }) =>
    aService({
      ...said,
      n,
      name: name.slice(0, 128),
      name_key: `${n}`,
      account_id: id("acct", seller),
      status: status as "active",
      accepted_channels: channels,
      payment_methods: { one_time: true, cumulative },
      pricing: {
        one_time: prices,
        ...(cumulative && {
          cumulative: { unit: "call", rate: "250.5", billing_cycle: "monthly" as const },
        }),
      },
      // Several of one moment, and not in the order of their numbers.
      created_at: T0 + ((n * 7) % 13),
      updated_at: T0 + 100,
    }),
  )

const optional = <A>(arbitrary: fc.Arbitrary<A>) => fc.option(arbitrary, { nil: undefined })

const question = fc
  .record({
    words: fc.array(
      fc
        .tuple(word, fc.integer({ min: 1, max: 5 }))
        .map(([one, most]) => [...one].slice(0, most).join("")),
      { maxLength: 3 },
    ),
    channel: optional(fc.constantFrom("wallet_a", "wallet_b")),
    payment_method: optional(fc.constantFrom("one_time" as const, "cumulative" as const)),
    price: optional(
      fc.record(
        { at_most: fc.integer({ min: 50, max: 600 }), currency: fc.constantFrom("USD", "EUR") },
        { requiredKeys: [] },
      ),
    ),
    most_of_seller: optional(fc.integer({ min: 1, max: 3 })),
    status: fc.constantFrom("active" as const, "active" as const, "deprecated" as const),
    limit: fc.integer({ min: 1, max: 10 }),
    offset: fc.constantFrom(0, 0, 1, 5, 20),
  })
  .map(({ words, ...said }) => {
    const search = { ...said, q: words.join(" "), viewer: id("acct", 9) }
    return Object.fromEntries(
      Object.entries(search).filter(([, value]) => value !== undefined),
    ) as unknown as ServiceSearch
  })

const round = fc.record({
  written: fc.uniqueArray(manifest, { maxLength: 12, selector: ({ id: one }) => one }),
  removed: fc.integer({ min: 1, max: 120 }),
  folds: fc.boolean(),
  asked: fc.array(question, { minLength: 3, maxLength: 8 }),
})

describe("searches on PostgreSQL", () => {
  it.live(
    "find what the memory store finds, in blocks and without, whatever has changed since",
    () =>
      Effect.gen(function* () {
        const settings = yield* testDatabase
        const database = yield* openDatabase(settings, yield* accessTo(settings))
        const store = Context.get(yield* Layer.build(PostgresStore.layer(settings)), Store)
        const stored = new Map<string, ServiceManifest>()
        const inBlocks = searchReads(database, () => undefined)
        const inTables = searchReads(database, () => undefined, -1)
        let blocks = 0
        const play = Effect.fnUntraced(function* ({
          asked,
          folds,
          removed,
          written,
        }: typeof round extends fc.Arbitrary<infer A> ? A : never) {
          const leaving = stored.get(uuid(removed))
          if (leaving !== undefined) {
            yield* store.commit({ writes: [{ op: "remove", kind: "service", record: leaving }] })
            stored.delete(leaving.id)
          }
          for (const said of written) {
            const before = stored.get(said.id)
            const record = { ...said, version: before?.version ?? 1 }
            yield* store.commit({
              writes: [
                { op: before === undefined ? "insert" : "replace", kind: "service", record },
              ],
            })
            const version = before === undefined ? 1 : before.version + 1
            stored.set(said.id, { ...record, version })
          }
          if (folds) yield* foldSearch(database, SMALL)
          const [row] = yield* database.work.use((connection) =>
            Effect.map(
              connection.query(
                "SELECT count(*)::int AS n FROM payport.search_blocks WHERE standing = 'current'",
              ),
              ({ rows }) => rows,
            ),
          )
          blocks = Math.max(blocks, Number(row?.["n"]))
          for (const search of asked) {
            const expected = searchServices(stored.values(), search)
            const said = JSON.stringify(search)
            // The second search fills the cache, and the third uses it.
            for (let times = 0; times < 3; times += 1) {
              expect(yield* inBlocks.searchServices(search), said).toEqual(expected)
            }
            expect(yield* inTables.searchServices(search), said).toEqual(expected)
          }
        })
        const context = yield* Effect.context()
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(round, (one) => Effect.runPromiseWith(context)(play(one))),
            { numRuns: 60, endOnFailure: true },
          ),
        )
        expect(blocks).toBeGreaterThan(2)
      }).pipe(Effect.scoped),
    120_000,
  )

  it.live(
    "find everything once while blocks are made by two processes and manifests change",
    () =>
      Effect.gen(function* () {
        const settings = yield* testDatabase
        const database = yield* openDatabase(settings, yield* accessTo(settings))
        const other = yield* openDatabase(settings, yield* accessTo(settings))
        const store = Context.get(yield* Layer.build(PostgresStore.layer(settings)), Store)
        const { searchServices: search } = searchReads(database, () => undefined)
        const all = { status: "active", viewer: id("acct", 9), limit: 100, offset: 0 } as const
        const made = (n: number, version: number) =>
          aService({ n, version, name: `Rain ${n}`, created_at: T0 + ((n * 7) % 61), tags: [] })
        const write = Effect.fnUntraced(function* (from: number) {
          for (let n = from; n < from + 30; n++) {
            yield* store.commit({
              writes: [{ op: "insert", kind: "service", record: made(n, 1) }],
            })
            const tags = n % 2 === 0 ? ["hail"] : []
            yield* store.commit({
              writes: [{ op: "replace", kind: "service", record: { ...made(n, 1), tags } }],
            })
          }
        })
        const state = { isOver: false }
        const fold = Effect.fnUntraced(function* (own: typeof database) {
          while (!state.isOver) yield* foldSearch(own, SMALL)
        })
        const watch = Effect.fnUntraced(function* () {
          let before = 0
          while (!state.isOver) {
            const { data, total } = yield* search({ ...all, q: "rain" })
            expect(new Set(data.map((one) => one.id)).size).toBe(data.length)
            expect(data.length).toBe(total)
            expect(total).toBeGreaterThanOrEqual(before)
            before = total
          }
        })
        const writing = Effect.all([write(1), write(31)], { concurrency: 2 }).pipe(
          Effect.ensuring(Effect.sync(() => (state.isOver = true))),
        )
        yield* Effect.all([writing, fold(database), fold(other), watch()], {
          concurrency: "unbounded",
        })
        yield* foldSearch(database, SMALL)
        expect((yield* search({ ...all, q: "rain" })).total).toBe(60)
        expect((yield* search({ ...all, q: "hail" })).total).toBe(30)
      }).pipe(Effect.scoped),
    120_000,
  )

  it.live("keep where the words of a block stand that are asked for again", () =>
    Effect.gen(function* () {
      const settings = yield* testDatabase
      const database = yield* openDatabase(settings, yield* accessTo(settings))
      const store = Context.get(yield* Layer.build(PostgresStore.layer(settings)), Store)
      for (const n of [1, 2, 3]) {
        const record = aService({ n, name: n === 3 ? "Rain" : `Hail ${n}`, created_at: T0 + n })
        yield* store.commit({ writes: [{ op: "insert", kind: "service", record }] })
      }
      yield* foldSearch(database, SMALL)
      const { searchServices: search } = searchReads(database, () => undefined)
      const totalOf = (q: string) =>
        Effect.map(
          search({ status: "active", viewer: id("acct", 9), limit: 10, offset: 0, q }),
          ({ total }) => total,
        )
      for (const q of ["hail", "hail", "hail snow", "snow", "rain"]) yield* totalOf(q)
      yield* database.work.use((one) =>
        one.query("DELETE FROM payport.search_postings WHERE entry ~ '^[pw]'"),
      )
      expect(yield* totalOf("hail")).toBe(2)
      expect(yield* totalOf("snow")).toBe(0)
      // After only one search, nothing was cached.
      expect(yield* totalOf("rain")).toBe(0)
    }).pipe(Effect.scoped),
  )

  it.live("wait for who makes a block, and do without who is gone", () =>
    Effect.gen(function* () {
      const settings = yield* testDatabase
      const database = yield* openDatabase(settings, yield* accessTo(settings))
      const store = Context.get(yield* Layer.build(PostgresStore.layer(settings)), Store)
      for (const n of [1, 2, 3]) {
        const record = aService({ n, created_at: T0 + n })
        yield* store.commit({ writes: [{ op: "insert", kind: "service", record }] })
      }
      const ask = (sql: string) =>
        database.work.use((one) => Effect.map(one.query(sql), ({ rows }) => rows))
      const current = Effect.map(
        ask("SELECT size FROM payport.search_blocks WHERE standing = 'current'"),
        (rows) => rows.map(({ size }) => size),
      )
      yield* ask(`INSERT INTO payport.search_blocks (build, standing, since, size, upto_at, upto_id)
        VALUES ('${uuid(1)}', 'building', now(), 0, now(), '${uuid(1)}')`)
      yield* ask(`INSERT INTO payport.search_postings (build, entry, postings)
        VALUES ('${uuid(1)}', 'wrain', '')`)
      yield* foldSearch(database, SMALL)
      expect(yield* current).toEqual([])
      yield* ask("UPDATE payport.search_blocks SET since = now() - interval '11 minutes'")
      yield* foldSearch(database, SMALL)
      expect(yield* current).toEqual([3])
      yield* ask("UPDATE payport.search_blocks SET since = now() - interval '2 minutes'")
      yield* foldSearch(database, SMALL)
      expect(yield* current).toEqual([3])
      const left = `SELECT FROM payport.search_postings WHERE build = '${uuid(1)}'`
      expect(yield* ask(left)).toEqual([])
    }).pipe(Effect.scoped),
  )
})
