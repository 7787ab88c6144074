import { describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { expect } from "vitest"
import { accessTo } from "../../../adapters/postgres/access.ts"
import { type Database, openDatabase } from "../../../adapters/postgres/database.ts"
import { foldSearch } from "../../../adapters/postgres/search/foldSearch.ts"
import { searchReads } from "../../../adapters/postgres/search/searchReads.ts"
import * as PostgresStore from "../../../adapters/postgres/PostgresStore.ts"
import { aService, id, T0, uuid } from "../../../apps/payport/testing/records/index.ts"
import { type Commit, Store } from "../../../core/ports/Store.ts"
import { testDatabase } from "../../support/postgres.ts"

const SMALL = { largest: 12, words: 12_000, least: 2, together: 2 }

/** About 300 words. */
const rainy = (n: number) =>
  aService({
    n,
    name: `Rain ${n}`,
    description: Array.from({ length: 300 }, (_, k) => `w${n}x${k}`).join(" "),
    created_at: T0 + n,
  })

/** By default three services: the builder of their block writes several times. */
const begin = Effect.fnUntraced(function* (services: number = 3) {
  const settings = yield* testDatabase
  const own = yield* openDatabase(settings, yield* accessTo(settings))
  const other = yield* openDatabase(settings, yield* accessTo(settings))
  const commit = (writes: Commit["writes"]) =>
    Effect.scoped(
      Effect.gen(function* () {
        const store = Context.get(yield* Layer.build(PostgresStore.layer(settings)), Store)
        for (const write of writes) yield* store.commit({ writes: [write] })
      }),
    )
  yield* commit(
    Array.from({ length: services }, (_, n) => {
      return { op: "insert", kind: "service", record: rainy(n + 1) } as const
    }),
  )
  /** Changes a service so many times. The last change is in its tags. */
  const change = (n: number, times: number, from = 1) =>
    commit(
      Array.from({ length: times }, (_, k) => {
        const record = { ...rainy(n), version: from + k, tags: [`t${from + k}`] }
        return { op: "replace", kind: "service", record } as const
      }),
    )
  const found = { status: "active", viewer: id("acct", 9), limit: 10, offset: 0 } as const
  const totalOf = (q: string) =>
    Effect.map(
      searchReads(own, () => undefined).searchServices({ ...found, q }),
      ({ total }) => total,
    )
  const ask = (sql: string) =>
    other.work.use((one) => Effect.map(one.query(sql), ({ rows }) => rows))
  return { own, other, ask, change, totalOf }
})

/** The same database, but something happens before each of the builder's writes, by number. */
const watched = (
  { schema, work }: Database,
  before: (write: number) => Effect.Effect<unknown, unknown>,
): Parameters<typeof foldSearch>[0] => {
  let writes = 0
  return {
    schema,
    work: {
      write: (job) =>
        work.write((connection) =>
          job({
            ...connection,
            query: (sql, ...rest) =>
              sql.includes("INSERT INTO payport.search_postings")
                ? Effect.andThen(
                    Effect.orDie(before((writes += 1))),
                    connection.query(sql, ...rest),
                  )
                : connection.query(sql, ...rest),
          }),
        ),
    },
  }
}

const builds = `SELECT build, size FROM payport.search_blocks WHERE standing = 'current'
  ORDER BY upto_at, upto_id`

const standings = "SELECT standing, size FROM payport.search_blocks ORDER BY standing, size"

const strays = `SELECT DISTINCT build FROM payport.search_postings AS p WHERE NOT EXISTS (
  SELECT FROM payport.search_blocks AS b WHERE b.build = p.build)`

describe("a block in the making", () => {
  it.live("is not given up while its builder makes progress", () =>
    Effect.gen(function* () {
      const { ask, other, own } = yield* begin()
      let last = 0
      const folded = watched(own, (write) =>
        Effect.gen(function* () {
          last = write
          // Eleven minutes have passed since the builder began, but not since its last write.
          if (write === 2)
            yield* ask("UPDATE payport.search_blocks SET since = now() - interval '11 minutes'")
          if (write === 3) yield* foldSearch(other, SMALL)
        }),
      )
      yield* foldSearch(folded, SMALL)
      expect(last).toBeGreaterThan(3)
      expect(yield* ask(standings)).toEqual([{ standing: "current", size: 3 }])
      expect(yield* ask(strays)).toEqual([])
    }).pipe(Effect.scoped),
  )

  it.live("gets nothing more once it was given up, and nothing of it stays", () =>
    Effect.gen(function* () {
      const { ask, other, own } = yield* begin()
      let last = 0
      const folded = watched(own, (write) =>
        Effect.gen(function* () {
          last = write
          if (write !== 2) return
          yield* ask("UPDATE payport.search_blocks SET since = now() - interval '11 minutes'")
          yield* foldSearch(other, SMALL)
          yield* ask(`UPDATE payport.search_blocks SET since = now() - interval '2 minutes'
            WHERE standing = 'retired'`)
          yield* foldSearch(other, SMALL)
        }),
      )
      yield* foldSearch(folded, SMALL)
      expect(last).toBe(2)
      expect(yield* ask(standings)).toEqual([{ standing: "current", size: 3 }])
      expect(yield* ask(strays)).toEqual([])
    }).pipe(Effect.scoped),
  )

  it.live("leaves no words behind if its row is gone", () =>
    Effect.gen(function* () {
      const { ask, own } = yield* begin()
      yield* foldSearch(own, SMALL)
      const count = "SELECT count(*)::int AS n FROM payport.search_postings"
      const whole = yield* ask(count)
      for (const n of [7, 8]) {
        yield* ask(`INSERT INTO payport.search_postings (build, entry, postings)
          SELECT '${uuid(n)}', 'w' || n, '' FROM generate_series(1, 2500) AS n`)
      }
      yield* foldSearch(own, SMALL)
      expect(yield* ask(count)).toEqual(whole)
    }).pipe(Effect.scoped),
  )

  it.live("ends after so many words, and stays as it is", () =>
    Effect.gen(function* () {
      const { ask, other, own, totalOf } = yield* begin(10)
      const sizes = { ...SMALL, words: 700 }
      yield* foldSearch(own, sizes)
      const made = yield* ask(builds)
      // The last one is worth no block of its own.
      expect(made.map(({ size }) => size)).toEqual([3, 3, 3])
      yield* foldSearch(other, sizes)
      expect(yield* ask(builds)).toEqual(made)
      expect(yield* totalOf("rain")).toBe(10)
      // Without their words, as before these were counted, blocks are merged by their sizes.
      yield* ask("DELETE FROM payport.search_postings WHERE entry = 'cwords'")
      yield* foldSearch(own, sizes)
      const again = yield* ask(builds)
      expect(again.map(({ size }) => size)).toEqual([3, 3, 3])
      expect(again).not.toEqual(made)
      expect(yield* totalOf("w4x7")).toBe(1)
    }).pipe(Effect.scoped),
  )

  it.live("is made anew for several services, not for one that changes often", () =>
    Effect.gen(function* () {
      const { ask, change, own, totalOf } = yield* begin()
      yield* foldSearch(own, SMALL)
      const made = yield* ask(builds)
      yield* change(2, 20)
      yield* foldSearch(own, SMALL)
      expect(yield* ask(builds)).toEqual(made)
      const stored = "SELECT service_id FROM payport.search_changes"
      expect(yield* ask(stored)).toEqual([{ service_id: uuid(2) }])
      expect([yield* totalOf("t19"), yield* totalOf("t20")]).toEqual([0, 1])
      yield* change(3, 1)
      yield* foldSearch(own, SMALL)
      expect(yield* ask(builds)).not.toEqual(made)
      expect(yield* ask(stored)).toEqual([])
      expect([yield* totalOf("t20"), yield* totalOf("t1")]).toEqual([1, 1])
    }).pipe(Effect.scoped),
  )

  it.live("misses no change of a service that had changed before", () =>
    Effect.gen(function* () {
      const { ask, change, other, own, totalOf } = yield* begin()
      yield* foldSearch(own, SMALL)
      yield* change(2, 1)
      yield* change(3, 1)
      const folded = watched(own, (write) =>
        Effect.gen(function* () {
          if (write !== 2) return
          yield* change(2, 3, 2)
          yield* foldSearch(other, SMALL)
        }),
      )
      yield* foldSearch(folded, SMALL)
      expect([yield* totalOf("t1"), yield* totalOf("t4")]).toEqual([1, 1])
      const left = "SELECT DISTINCT service_id FROM payport.search_changes"
      expect(yield* ask(left)).toEqual([{ service_id: uuid(2) }])
    }).pipe(Effect.scoped),
  )
})
