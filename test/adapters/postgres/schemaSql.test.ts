import { it } from "@effect/vitest"
import { Effect, Layer, Redacted, Result } from "effect"
import { readdirSync } from "node:fs"
import { join, resolve } from "node:path"
import { Client } from "pg"
import { PgConnection } from "@effect/sql-pg"
import { describe, expect, test } from "vitest"
import * as PostgresStore from "../../../adapters/postgres/PostgresStore.ts"
import { RELEASES } from "../../../adapters/postgres/schema/releases.ts"
import { STEPS } from "../../../adapters/postgres/schema.ts"
import { schemaSql } from "../../../adapters/postgres/schemaSql.ts"
import { formOf } from "../../releases/formOf.ts"
import { readRelease, restore } from "../../releases/Release.ts"
import {
  emptyDatabase,
  serviceOf,
  type TestDatabase,
  testDatabase,
} from "../../support/postgres.ts"

/** Runs a script as `psql` would: all of it as one text. */
const runScript = (database: TestDatabase, script: Result.Result<string, string>) =>
  Effect.promise(async () => {
    const { password = Redacted.make(""), username = "", ...place } = database
    const { host, port } = place
    const login = { user: username, password: Redacted.value(password) }
    const client = new Client({ host, port, database: place.database, ...login })
    await client.connect()
    try {
      await client.query(Result.getOrThrow(script))
    } finally {
      await client.end()
    }
  })

const starts = (database: TestDatabase, schema?: string) =>
  Effect.scoped(
    Layer.build(PostgresStore.layer({ ...serviceOf(database), schema }, { mustOwnNothing: true })),
  )

const role = "payport_service"

describe("the schema as SQL", () => {
  it.live("makes what a migration makes, and a start as a role that owns nothing agrees", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      yield* runScript(database, schemaSql({ role }))
      yield* starts(database)
      const form = yield* Effect.promise(() => formOf(database, "payport"))
      const migrated = yield* testDatabase
      expect(form).toStrictEqual(yield* Effect.promise(() => formOf(migrated, "payport")))
      yield* runScript(database, schemaSql({ role, schema: "My Schema" }))
      yield* starts(database, "My Schema")
      // Running a script a second time is refused, and changes nothing.
      const again = yield* Effect.exit(runScript(database, schemaSql({ role })))
      expect(again._tag).toBe("Failure")
      yield* runScript(database, schemaSql({ role, from: STEPS.at(-1)?.id ?? 0 }))
      yield* starts(database)
    }),
  )

  it.live("grants what the role needs where functions are nobody's by default", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      const owner = yield* PgConnection.make(database)
      yield* owner.query("ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC")
      yield* runScript(database, schemaSql({ role }))
      yield* starts(database)
    }).pipe(Effect.scoped),
  )

  const releases = resolve(import.meta.dirname, "../../releases")
  const versions = readdirSync(releases).filter((name) => /^\d/.test(name))
  it.live.each(versions)("brings what %s has left to the form of a new database", (version) =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      const session = yield* PgConnection.make(database)
      yield* restore(session, readRelease(join(releases, version)))
      const from = RELEASES.find((one) => one.version === version)?.step
      yield* runScript(database, schemaSql({ schema: "public", role, from }))
      yield* starts(database)
      const form = yield* Effect.promise(() => formOf(database, "public"))
      const migrated = yield* testDatabase
      expect(form).toStrictEqual(yield* Effect.promise(() => formOf(migrated, "payport")))
    }).pipe(Effect.scoped),
  )

  test.each([
    [{ schema: "a'; DROP SCHEMA public" }, /^The name of the schema has to be/],
    [{ from: 99 }, /^The step to go on from has to be a whole number from 0 to \d+\.$/],
    [{ from: -1 }, /whole number/],
    [{ from: 0.5 }, /whole number/],
  ])("is none for %j", (options, said) => {
    const script = schemaSql(options)
    expect(Result.isFailure(script) && script.failure).toMatch(said)
  })
})
