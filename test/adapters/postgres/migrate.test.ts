import { it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { describe, expect } from "vitest"
import { DatabaseUnusable } from "../../../adapters/postgres/database.ts"
import { migrate } from "../../../adapters/postgres/migrate.ts"
import { MIGRATIONS } from "../../../adapters/postgres/migrations.ts"
import * as PostgresStore from "../../../adapters/postgres/PostgresStore.ts"
import { emptyDatabase, session, type TestDatabase } from "../../support/postgres.ts"

const start = (database: TestDatabase) => Effect.scoped(Layer.build(PostgresStore.layer(database)))

const applied = (database: TestDatabase) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { rows } = yield* (yield* session(database)).query(
        "SELECT id, name FROM payport_migrations ORDER BY id",
      )
      return rows
    }),
  )

const tables = (database: TestDatabase) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { rows } = yield* (yield* session(database)).query(
        "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename",
      )
      return rows.map(({ tablename }) => tablename)
    }),
  )

const all = MIGRATIONS.map(({ id, name }) => ({ id, name }))

describe("migrations", () => {
  it("are numbered in order, from 1", () => {
    const numbers = MIGRATIONS.map(({ id }) => id)
    expect(numbers[0]).toBe(1)
    expect(numbers).toStrictEqual([...new Set(numbers)].toSorted((a, b) => a - b))
  })

  it.live("run once, however many processes start at the same time and again", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      yield* Effect.all(
        Array.from({ length: 8 }, () => start(database)),
        {
          concurrency: "unbounded",
        },
      )
      expect(yield* applied(database)).toStrictEqual(all)
      yield* start(database)
      expect(yield* applied(database)).toStrictEqual(all)
    }),
  )

  it.live("are done whole or not at all, and go on where they stopped", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      const first = { id: 1, name: "first", statements: ["CREATE TABLE one (n int)"] }
      const second = ["CREATE TABLE two (n int)", "CREATE TABLE three (n nothing)"]
      const broken = migrate(database, [first, { id: 2, name: "second", statements: second }])
      expect((yield* Effect.flip(broken))._tag).toBe("SqlError")
      expect(yield* tables(database)).toStrictEqual(["one", "payport_migrations"])
      expect(yield* applied(database)).toStrictEqual([{ id: 1, name: "first" }])
    }),
  )

  it.live("give the keys that accounts have already their places, however many they are", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      yield* migrate(
        database,
        MIGRATIONS.filter(({ id }) => id < 21),
      )
      const ask = (sql: string) =>
        Effect.scoped(Effect.flatMap(session(database), (open) => open.query(sql)))
      yield* ask(`INSERT INTO webhook_keys SELECT gen_random_uuid(), 1,
          ('019b7726-0000-7000-8000-' || lpad((n % 25 / 23)::text, 12, '0'))::uuid, 'x25519',
          'hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo=', 'fp_0123456789abcdef', NULL, now()
        FROM generate_series(0, 24) AS n`)
      yield* migrate(database, MIGRATIONS)
      const { rows } = yield* ask(
        `SELECT count(*)::int AS keys, count(DISTINCT place)::int AS places, max(place) AS last
          FROM webhook_keys GROUP BY account_id ORDER BY 1`,
      )
      expect(rows).toStrictEqual([
        { keys: 2, places: 2, last: 2 },
        { keys: 23, places: 23, last: 23 },
      ])
    }),
  )

  it.live("end the start with a clear error where the database is newer", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      yield* start(database)
      yield* Effect.scoped(
        Effect.flatMap(session(database), (open) =>
          open.query("INSERT INTO payport_migrations (id, name) VALUES (999, 'from the future')"),
        ),
      )
      const failure = yield* Effect.flip(start(database))
      expect(failure).toBeInstanceOf(DatabaseUnusable)
      expect(failure.message).toContain("999 (from the future)")
      expect(failure.message).toContain("newer")
    }),
  )
})

describe("a database that cannot be used", () => {
  const unusable = {
    "one that nothing listens for": { port: 1, host: "127.0.0.1" },
    "one that does not exist": { database: "nowhere" },
    "a password that is wrong": { password: Redacted.make("wrong-secret") },
  }
  for (const [name, change] of Object.entries(unusable)) {
    it.live(`${name} is named with its place and never with its password`, () =>
      Effect.gen(function* () {
        const database = yield* emptyDatabase
        const password = Redacted.value(database.password ?? Redacted.make(""))
        const settings = { ...database, ...change }
        const failure = yield* Effect.flip(
          Effect.scoped(Layer.build(PostgresStore.layer(settings))),
        )
        expect(failure).toBeInstanceOf(DatabaseUnusable)
        expect(failure.message).toContain(`${settings.host}:${settings.port}/${settings.database}`)
        for (const secret of [password, "wrong-secret"]) {
          expect(JSON.stringify(failure) + failure.message).not.toContain(secret)
        }
      }),
    )
  }

  it.live("by URL is named the same way", () =>
    Effect.gen(function* () {
      const url = Redacted.make("postgres://someone:very-secret@127.0.0.1:1/payments")
      const failure = yield* Effect.flip(Effect.scoped(Layer.build(PostgresStore.layer({ url }))))
      expect(failure.message).toContain("127.0.0.1:1/payments")
      expect(failure.message).not.toContain("very-secret")
    }),
  )
})
