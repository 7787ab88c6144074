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

type Role = "owner" | "service"

/** How to reach a database as the owner of its tables, or as the role that the service has. */
const place = (database: string, role: Role): TestDatabase => {
  const { host, port, roles } = inject("postgres")
  const { password, username } = roles[role]
  return { host, port, username, password: Redacted.make(password), database }
}

/** A session of its own with a database, until the scope closes, as the server's own user. */
export const session = ({ database }: TestDatabase) =>
  PgConnection.make({ ...place(database, "owner"), username: "postgres" })

/** A database as its owner reaches it. */
export const ownerOf = ({ database }: TestDatabase): TestDatabase => place(database, "owner")

/** A database as the service reaches it. */
export const serviceOf = ({ database }: TestDatabase): TestDatabase => place(database, "service")

const manage = (sql: string) =>
  Effect.scoped(
    Effect.flatMap(PgConnection.make(place("payport", "owner")), (owner) => owner.query(sql)),
  )

const runOn = (database: TestDatabase, sql: string) =>
  Effect.scoped(Effect.flatMap(session(database), (admin) => admin.query(sql)))

/** By the server's own user: whoever forces a drop has to be allowed to end an autovacuum in it. */
const drop = (name: string) =>
  runOn(place("postgres", "owner"), `DROP DATABASE ${name} WITH (FORCE)`)

const temporaryDatabase = (
  source: string,
  role: Role,
): Effect.Effect<TestDatabase, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.gen(function* () {
        const name = `test_${randomBytes(8).toString("hex")}`
        yield* manage(`CREATE DATABASE ${name} TEMPLATE ${source}`)
        return name
      }).pipe(Effect.orDie),
      (name) => Effect.orDie(drop(name)),
    ),
    (name) => place(name, role),
  )

/**
 * A database of its own with the schema and nothing in it, dropped when the scope closes, as the
 * role of the service.
 */
export const testDatabase: Effect.Effect<TestDatabase, never, Scope.Scope> = Effect.suspend(() =>
  temporaryDatabase(inject("postgres").template, "service"),
)

/** The same without the schema, as the role that may make it. */
export const emptyDatabase: Effect.Effect<TestDatabase, never, Scope.Scope> = temporaryDatabase(
  "template1",
  "owner",
)

const EMPTY_ALL = `DO $$
  DECLARE one text;
  BEGIN
    ALTER TABLE postings DISABLE TRIGGER postings_kept;
    ALTER TABLE audit_entries DISABLE TRIGGER audit_kept;
    ALTER TABLE audit_head DISABLE TRIGGER audit_head_kept;
    FOR one IN SELECT tablename FROM pg_tables
      WHERE schemaname = 'payport' AND tablename <> 'payport_schema'
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
    ofThisFile = place(name, "service")
  }
  const database = ofThisFile
  yield* runOn(database, EMPTY_ALL)
  return database
}).pipe(Effect.orDie)

/** `Store` and `Documents` with nothing in them, for one test at a time. */
export const makeTestStore = () =>
  Layer.unwrap(Effect.map(emptiedDatabase, (database) => PostgresStore.layer(database)))
