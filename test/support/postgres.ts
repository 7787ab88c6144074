import { PgConnection } from "@effect/sql-pg"
import { Effect, Layer, Redacted, type Scope } from "effect"
import { randomBytes } from "node:crypto"
import { inject } from "vitest"
import type { ConnectionSettings } from "../../adapters/postgres/ConnectionSettings.ts"
import * as PostgresStore from "../../adapters/postgres/PostgresStore.ts"

/** How to reach a database of the run's server. */
export type TestDatabase = ConnectionSettings & {
  readonly host: string
  readonly port: number
  readonly database: string
}

const place = (database: string): TestDatabase => {
  const { host, password, port, username } = inject("postgres")
  return { host, port, username, password: Redacted.make(password), database }
}

/** A session of its own with a database, until the scope closes. */
export const session = (database: TestDatabase) => PgConnection.make(database)

const runOn = (database: TestDatabase, sql: string) =>
  Effect.scoped(Effect.flatMap(session(database), (admin) => admin.query(sql)))

const manage = (sql: string) => runOn(place("payport"), sql)

/** By the server's own user: whoever forces a drop has to be allowed to end an autovacuum in it. */
const drop = (name: string) =>
  runOn({ ...place("postgres"), username: "postgres" }, `DROP DATABASE ${name} WITH (FORCE)`)

const temporaryDatabase = (source: string): Effect.Effect<TestDatabase, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.gen(function* () {
        const name = `test_${randomBytes(8).toString("hex")}`
        yield* manage(`CREATE DATABASE ${name} TEMPLATE ${source}`)
        return name
      }).pipe(Effect.orDie),
      (name) => Effect.orDie(drop(name)),
    ),
    place,
  )

/** A database of its own with the schema and nothing in it, dropped when the scope closes. */
export const testDatabase: Effect.Effect<TestDatabase, never, Scope.Scope> = Effect.suspend(() =>
  temporaryDatabase(inject("postgres").template),
)

/** The same without the schema. */
export const emptyDatabase: Effect.Effect<TestDatabase, never, Scope.Scope> =
  temporaryDatabase("template1")

const EMPTY_ALL = `DO $$
  DECLARE one text;
  BEGIN
    ALTER TABLE postings DISABLE TRIGGER postings_kept;
    ALTER TABLE audit_entries DISABLE TRIGGER audit_kept;
    ALTER TABLE audit_head DISABLE TRIGGER audit_head_kept;
    FOR one IN SELECT tablename FROM pg_tables
      WHERE schemaname = 'public' AND tablename <> 'payport_schema'
    LOOP EXECUTE format('DELETE FROM %I', one); END LOOP;
    INSERT INTO audit_head (sequence, hash) VALUES (0, repeat('0', 64));
    ALTER TABLE postings ENABLE ALWAYS TRIGGER postings_kept;
    ALTER TABLE audit_entries ENABLE ALWAYS TRIGGER audit_kept;
    ALTER TABLE audit_head ENABLE ALWAYS TRIGGER audit_head_kept;
  END $$`

let ofThisFile: TestDatabase | undefined

/**
 * The database of this test file, emptied: much faster than a new one for each test. It goes with
 * the server.
 */
export const emptiedDatabase = Effect.gen(function* () {
  if (ofThisFile === undefined) {
    const name = `file_${randomBytes(8).toString("hex")}`
    yield* manage(`CREATE DATABASE ${name} TEMPLATE ${inject("postgres").template}`)
    ofThisFile = place(name)
  }
  const database = ofThisFile
  yield* runOn(database, EMPTY_ALL)
  return database
}).pipe(Effect.orDie)

/** `Store` and `Documents` with nothing in them, for one test at a time. */
export const makeTestStore = () =>
  Layer.unwrap(Effect.map(emptiedDatabase, (database) => PostgresStore.layer(database)))
