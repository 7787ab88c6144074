import { describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { expect } from "vitest"
import { accessTo } from "../../../adapters/postgres/access.ts"
import { type Database, openDatabase } from "../../../adapters/postgres/database.ts"
import { foldSearch } from "../../../adapters/postgres/search/foldSearch.ts"
import * as PostgresStore from "../../../adapters/postgres/PostgresStore.ts"
import { aService, T0, uuid } from "../../../apps/payport/testing/records/index.ts"
import { Store } from "../../../core/ports/Store.ts"
import { testDatabase } from "../../support/postgres.ts"

const SMALL = { largest: 12, least: 2, together: 2 }

/** Three services, whose block has about 900 entries: its builder writes several times. */
const begin = Effect.gen(function* () {
  const settings = yield* testDatabase
  const own = yield* openDatabase(settings, yield* accessTo(settings))
  const other = yield* openDatabase(settings, yield* accessTo(settings))
  yield* Effect.scoped(
    Effect.gen(function* () {
      const store = Context.get(yield* Layer.build(PostgresStore.layer(settings)), Store)
      for (const n of [1, 2, 3]) {
        const description = Array.from({ length: 300 }, (_, k) => `w${n}x${k}`).join(" ")
        const record = aService({ n, name: `Rain ${n}`, description, created_at: T0 + n })
        yield* store.commit({ writes: [{ op: "insert", kind: "service", record }] })
      }
    }),
  )
  const ask = (sql: string) =>
    other.work.use((one) => Effect.map(one.query(sql), ({ rows }) => rows))
  return { own, other, ask }
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
      use: (job) =>
        work.use((connection) =>
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

const standings = "SELECT standing, size FROM payport.search_blocks ORDER BY standing, size"

const strays = `SELECT DISTINCT build FROM payport.search_postings AS p WHERE NOT EXISTS (
  SELECT FROM payport.search_blocks AS b WHERE b.build = p.build)`

describe("a block in the making", () => {
  it.live("is not given up while its builder makes progress", () =>
    Effect.gen(function* () {
      const { ask, other, own } = yield* begin
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
      const { ask, other, own } = yield* begin
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
      const { ask, own } = yield* begin
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
})
