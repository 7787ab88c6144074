import { PgConnection } from "@effect/sql-pg"
import { Effect, Layer, Redacted, Schedule, Scope } from "effect"
import { randomBytes } from "node:crypto"
import { inject } from "vitest"
import type { ConnectionSettings } from "../../adapters/postgres/ConnectionSettings.ts"
import * as PostgresStore from "../../adapters/postgres/PostgresStore.ts"

/** The connection to a database of the run's server. */
export type TestDatabase = ConnectionSettings & {
  readonly host: string
  readonly port: number
  readonly database: string
}

type Role = "owner" | "service"

/** The connection to a database as the owner of its tables, or in the service's role. */
const place = (database: string, role: Role): TestDatabase => {
  const { host, port, roles } = inject("postgres")
  const { password, username } = roles[role]
  return { host, port, username, password: Redacted.make(password), database }
}

/** Opens a session, with enough time for a busy server. */
const open = (config: PgConnection.Config) =>
  PgConnection.make({ ...config, connectTimeout: "50 seconds" })

/** Opens a session with a database as the server's own user, until the scope closes. */
export const session = ({ database }: TestDatabase) =>
  open({ ...place(database, "owner"), username: "postgres" })

/** A database as its owner reaches it. */
export const ownerOf = ({ database }: TestDatabase): TestDatabase => place(database, "owner")

/** A database as the service reaches it. */
export const serviceOf = ({ database }: TestDatabase): TestDatabase => place(database, "service")

const manage = (sql: string) =>
  Effect.scoped(Effect.flatMap(open(place("payport", "owner")), (owner) => owner.query(sql)))

const runOn = (database: TestDatabase, sql: string) =>
  Effect.scoped(Effect.flatMap(session(database), (admin) => admin.query(sql)))

/** Runs as the server's own user, since a forced drop may have to end an autovacuum. */
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
 * A separate database with an empty schema, in the service's role, dropped when the scope closes.
 */
export const testDatabase: Effect.Effect<TestDatabase, never, Scope.Scope> = Effect.suspend(() =>
  temporaryDatabase(inject("postgres").template, "service"),
)

/** A copy of a database to which nobody is connected, as a restored backup of now. */
export const copyOf = ({ database }: TestDatabase): typeof testDatabase =>
  temporaryDatabase(database, "service")

/** The same without the schema, as the role that may make it. */
export const emptyDatabase: Effect.Effect<TestDatabase, never, Scope.Scope> = temporaryDatabase(
  "template1",
  "owner",
)

const emptyAll = (schema: string, how: "DELETE FROM" | "TRUNCATE" = "DELETE FROM") => `DO $$
  DECLARE one text;
  BEGIN
    PERFORM set_config('search_path', quote_ident('${schema}'), true);
    ALTER TABLE postings DISABLE TRIGGER postings_kept;
    ALTER TABLE audit_entries DISABLE TRIGGER audit_kept;
    ALTER TABLE audit_head DISABLE TRIGGER audit_head_kept;
    FOR one IN SELECT tablename FROM pg_tables
      WHERE schemaname = '${schema}' AND tablename <> 'payport_schema'
    LOOP EXECUTE format('${how} %I', one); END LOOP;
    INSERT INTO audit_head (sequence, hash) VALUES (0, repeat('0', 64));
    ALTER TABLE postings ENABLE ALWAYS TRIGGER postings_kept;
    ALTER TABLE audit_entries ENABLE ALWAYS TRIGGER audit_kept;
    ALTER TABLE audit_head ENABLE ALWAYS TRIGGER audit_head_kept;
  END $$`

let ofThisFile: TestDatabase | undefined
let emptying: Effect.Success<ReturnType<typeof session>> | undefined

/** All tests share one session, since a new one would have to load all tables again. */
const emptyOnKept = (database: TestDatabase) =>
  Effect.gen(function* () {
    emptying ??= yield* Scope.provide(session(database), Scope.makeUnsafe())
    return yield* emptying.query(emptyAll("payport"))
  })

/**
 * Returns the emptied database of this test file, which is much faster than a new one for each
 * test. It ends with the server.
 */
export const emptiedDatabase = Effect.gen(function* () {
  if (ofThisFile === undefined) {
    const name = `file_${randomBytes(8).toString("hex")}`
    yield* manage(`CREATE DATABASE ${name} TEMPLATE ${inject("postgres").template}`)
    ofThisFile = place(name, "service")
  }
  const database = ofThisFile
  yield* Effect.catch(emptyOnKept(database), () => {
    // Some tests end all sessions of the database.
    emptying = undefined
    return emptyOnKept(database)
  })
  return database
}).pipe(Effect.orDie)

/** `Store` and `Documents` with nothing in them, for one test at a time. */
export const makeTestStore = () =>
  Layer.unwrap(
    Effect.map(emptiedDatabase, (database) =>
      PostgresStore.layer({ ...database, connectTimeout: 20 }),
    ),
  )

/**
 * Returns a database that several test files share, each with a payport in its own schema, among
 * other tables on the search path. It creates database and payport if needed. The database ends
 * with the server.
 */
export const sharedDatabase = (schema: string): Effect.Effect<TestDatabase> =>
  Effect.gen(function* () {
    const name = "shared_by_files"
    yield* Effect.ignore(manage(`CREATE DATABASE ${name}`))
    const database = place(name, "service")
    const hostile = { startupOptions: "-csearch_path=public" }
    const strangers = ["accounts", "events", "payport_schema"].map(
      (table) => `CREATE TABLE IF NOT EXISTS public.${table} (mine text)`,
    )
    yield* Effect.retry(
      Effect.forEach(strangers, (sql) => runOn(database, sql)),
      { times: 100, schedule: Schedule.spaced("200 millis") },
    )
    yield* PostgresStore.migrateAs(
      { ...ownerOf(database), ...hostile, schema },
      {
        ...database,
        schema,
      },
    )
    return { ...database, ...hostile, schema }
  }).pipe(Effect.orDie)

/** Empties the payport in a schema of a database. */
export const emptied = (database: TestDatabase, schema: string): Effect.Effect<void> =>
  Effect.orDie(Effect.asVoid(runOn(database, emptyAll(schema))))

/**
 * Empties the tables by TRUNCATE, which takes longer, but leaves no dead rows that slow down later
 * statements.
 */
export const truncated = (database: TestDatabase, schema: string): Effect.Effect<void> =>
  Effect.orDie(Effect.asVoid(runOn(database, emptyAll(schema, "TRUNCATE"))))
