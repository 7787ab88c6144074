import { it } from "@effect/vitest"
import { Effect, Layer, Redacted, Result } from "effect"
import { describe, expect, test } from "vitest"
import { connectionOf } from "../../../adapters/postgres/ConnectionUrl.ts"
import type { ConnectionSettings } from "../../../adapters/postgres/ConnectionSettings.ts"
import { DatabaseUnusable, refusalOfVersion } from "../../../adapters/postgres/DatabaseUnusable.ts"
import * as PostgresStore from "../../../adapters/postgres/PostgresStore.ts"
import { emptyDatabase, serviceOf, session, type TestDatabase } from "../../support/postgres.ts"

const failing = (settings: ConnectionSettings) =>
  Effect.flip(Effect.scoped(Layer.build(PostgresStore.layer(settings))))

/** Each mistake, with what its one line says. */
const MISTAKES: {
  readonly [name: string]: readonly [change: Partial<TestDatabase>, said: RegExp]
} = {
  "a port that nothing listens on": [{ host: "127.0.0.1", port: 1 }, /no server listens there/],
  "a folder without a socket": [{ host: "/nowhere" }, /no server listens there/],
  "a host that is not found": [{ host: "db.invalid" }, /the host db\.invalid was not found/],
  "a database that is not there": [
    { database: "nowhere" },
    /there is no database nowhere\. Create it with CREATE DATABASE nowhere OWNER/,
  ],
  "a password that is wrong": [
    { password: Redacted.make("wrong-secret") },
    /the role payport does not exist, or has another password/,
  ],
  "a role that is not there": [
    { username: "nobody_here" },
    /create the role with CREATE ROLE nobody_here/,
  ],
  "a schema of PostgreSQL's": [
    { schema: "pg_toast" },
    /PostgreSQL keeps names that begin with pg_/,
  ],
  "a schema that would be SQL": [
    { schema: 'a"; DROP TABLE accounts' },
    /^The name of the database's schema has to be a name of letters/,
  ],
}

describe("a database that cannot be used", () => {
  for (const [name, [change, said]] of Object.entries(MISTAKES)) {
    it.live(`${name} is named in one line, with what to do and without the password`, () =>
      Effect.gen(function* () {
        const settings = { ...(yield* emptyDatabase), ...change }
        const failure = yield* failing(settings)
        expect(failure).toBeInstanceOf(DatabaseUnusable)
        expect(failure.message).toMatch(said)
        expect(failure.message).not.toContain("\n")
        if (change.schema === undefined) {
          const place = `${settings.host}:${settings.port}/${settings.database}`
          expect(failure.message).toContain(place)
        }
        const { password = Redacted.make("") } = settings
        expect(JSON.stringify(failure) + failure.message).not.toContain(Redacted.value(password))
      }),
    )
  }

  it.live("with tables of somebody else in its schema is told from one of an older payport", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      const admin = yield* session(database)
      yield* admin.query("CREATE TABLE public.accounts (id int)")
      yield* admin.query("CREATE TABLE public.payport_schema (mine text)")
      expect((yield* failing({ ...database, schema: "public" })).message).toBe(
        "The schema public of the database has tables of another program with the names of" +
          " payport's (accounts, payport_schema). Give payport a schema of its own: leave" +
          " PAYPORT_DATABASE_SCHEMA unset, or name a new one.",
      )
      yield* admin.query("DROP TABLE public.payport_schema")
      yield* Effect.scoped(Layer.build(PostgresStore.layer(database)))
      const { rows } = yield* admin.query("SELECT count(*)::int AS rows FROM public.accounts")
      expect(rows).toEqual([{ rows: 0 }])
    }).pipe(Effect.scoped),
  )

  it.live("for want of a connection, or of rights in its schema, is told so", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      const admin = yield* session(database)
      const role = `role_${database.database}`
      yield* Effect.acquireRelease(
        admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'a-word' CONNECTION LIMIT 0`),
        () => Effect.orDie(admin.query(`DROP ROLE ${role}`)),
      )
      const login = { ...database, username: role, password: Redacted.make("a-word") }
      expect((yield* failing(login)).message).toMatch(/no connection left .* \[53300\]/)
      yield* admin.query(`ALTER ROLE ${role} NOLOGIN CONNECTION LIMIT 9`)
      expect((yield* failing(login)).message).toMatch(/that the role has LOGIN/)
      yield* PostgresStore.migrateAs(database, serviceOf(database))
      yield* admin.query(`ALTER ROLE ${role} LOGIN`)
      expect((yield* failing(login)).message).toMatch(
        /^The role \S+ may not use the schema payport/,
      )
    }).pipe(Effect.scoped),
  )

  it.live("by URL is named the same way", () =>
    Effect.gen(function* () {
      const url = "postgres://someone:very-secret@127.0.0.1:1,[::1]:2/payments"
      const failure = yield* failing(Result.getOrThrow(connectionOf(url)))
      expect(failure.message).toContain("127.0.0.1:1,::1:2/payments")
      expect(failure.message).not.toContain("very-secret")
    }),
  )

  test("because it is too old is told what it would have to be", () => {
    expect(refusalOfVersion(150_000)).toBeUndefined()
    expect(refusalOfVersion(140_012)?.message).toMatch(/is PostgreSQL 14, but payport needs 15/)
    expect(refusalOfVersion(90_624)?.message).toMatch(/is PostgreSQL 9,/)
  })
})
