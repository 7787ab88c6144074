import { PgConnection } from "@effect/sql-pg"
import { it } from "@effect/vitest"
import {
  Context,
  Effect,
  Exit,
  Fiber,
  Layer,
  Logger,
  Redacted,
  Result,
  Schedule,
  Scope,
} from "effect"
import { Pool } from "pg"
import { describe, expect } from "vitest"
import {
  COMMIT_FUNCTION,
  CREATE_COMMIT_FUNCTION,
} from "../../../adapters/postgres/commit/commitFunction.ts"
import {
  holdCommitFunction,
  MARK_COMMIT_FUNCTION,
} from "../../../adapters/postgres/commit/unusedFunctions.ts"
import { DatabaseUnusable } from "../../../adapters/postgres/DatabaseUnusable.ts"
import { ownSessions } from "../../../adapters/postgres/access.ts"
import { migrate as migrateIn, MIGRATION_LOCK } from "../../../adapters/postgres/migrate.ts"
import { ourSchema } from "../../../adapters/postgres/OurSchema.ts"
import { RUNNING } from "../../../adapters/postgres/runningProcesses.ts"
import { STEPS } from "../../../adapters/postgres/schema.ts"
import { inOneTransaction, type Step, type Steps } from "../../../adapters/postgres/schema/Step.ts"
import type { ApiKey } from "../../../core/accounts/ApiKey.ts"
import { Documents } from "../../../core/ports/Documents.ts"
import { RateLeases } from "../../../core/ports/RateLeases.ts"
import { Store } from "../../../core/ports/Store.ts"
import { DAY } from "../../../core/shared/Timestamp.ts"
import * as PostgresStore from "../../../adapters/postgres/PostgresStore.ts"
import { insert } from "../../../apps/payport/testing/store/probe.ts"
import {
  emptyDatabase,
  ownerOf,
  serviceOf,
  session,
  type TestDatabase,
  testDatabase,
} from "../../support/postgres.ts"
import {
  aCallback,
  aLogEntry,
  anApiKey,
  anAuditAct,
  anIntent,
  id,
  T0,
} from "../../support/records.ts"

const SCHEMA = ourSchema("payport")

const migrate = (database: TestDatabase, steps: Steps, role?: string) =>
  migrateIn(ownSessions({ ...database, schema: SCHEMA }, database), steps, role)

const start = (database: TestDatabase) => Effect.scoped(Layer.build(PostgresStore.layer(database)))

const applied = (database: TestDatabase) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { rows } = yield* (yield* session(database)).query(
        "SELECT id, name FROM payport_schema ORDER BY id",
      )
      return rows
    }),
  )

const tables = (database: TestDatabase, schema = "payport") =>
  Effect.scoped(
    Effect.gen(function* () {
      const { rows } = yield* (yield* session(database)).query(
        `SELECT tablename FROM pg_tables WHERE schemaname = '${schema}' ORDER BY tablename`,
      )
      return rows.map(({ tablename }) => tablename)
    }),
  )

/** Finds a session that waits for a lock on the table. */
const WAITS = "SELECT FROM pg_locks WHERE NOT granted AND relation = 'one'::regclass"
const WAITS_FOR_OLDER = `SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE datname = current_database() AND locktype = 'virtualxid' AND NOT granted`

let stored = 0

const storesOne = (store: Store["Service"]) =>
  Effect.suspend(() => {
    stored += 1
    return store.commit({ writes: [insert("callback", aCallback({ n: stored }))] })
  })

/** A pool of the host's, until the scope closes. */
const hostPool = ({ database, host, password, port, username }: TestDatabase) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const secret = Redacted.value(password ?? Redacted.make(""))
      const pool = new Pool({ host, port, database, user: username, password: secret })
      return pool.on("error", () => undefined)
    }),
    (pool) => Effect.promise(() => pool.end()),
  )

/** Ends all other sessions of the session's database. */
const endSessions = (admin: PgConnection.PgConnection) =>
  admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`)

const all = STEPS.map(({ id, name }) => ({ id, name }))

describe("steps of the schema", () => {
  it("are numbered in order, from 1", () => {
    const numbers = STEPS.map(({ id }) => id)
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
      const first = { id: 1, name: "first", beside: 1, statements: ["CREATE TABLE one (n int)"] }
      const second = ["CREATE TABLE two (n int)", "CREATE TABLE three (n nothing)"]
      yield* migrate(database, [first])
      const broken = migrate(database, [
        first,
        { id: 2, name: "second", beside: 1, statements: second },
      ])
      expect((yield* Effect.flip(broken))._tag).toBe("SqlError")
      expect(yield* tables(database)).toStrictEqual(["one", "payport_schema"])
      expect(yield* applied(database)).toStrictEqual([{ id: 1, name: "first" }])
    }),
  )

  const MAKES_AND_CHANGES = [
    { id: 1, name: "first", beside: 1, statements: ["CREATE TABLE one (n int)"] },
    { id: 2, name: "second", beside: 1, statements: ["ALTER TABLE one ADD COLUMN m int"] },
  ] as const

  it.live("leaves no lock in a session that a pooler keeps for others", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      const source = ownSessions({ ...database, schema: SCHEMA }, database)
      const kept = yield* source.connect
      const [first, second] = MAKES_AND_CHANGES
      yield* migrateIn({ ...source, connect: Effect.succeed(kept) }, [first])
      const locks = `SELECT count(*)::int AS held FROM pg_locks
        WHERE locktype = 'advisory' AND pid = pg_backend_pid()`
      expect((yield* kept.query(locks, [], false)).rows).toEqual([{ held: 0 }])
      yield* Effect.timeout(migrate(database, [first, second]), "10 seconds")
    }),
  )

  it.live("leaves no lock either if it is interrupted while it waits for a table", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      const source = ownSessions({ ...database, schema: SCHEMA }, database)
      const kept = yield* source.connect
      const [first, second] = MAKES_AND_CHANGES
      yield* migrate(database, [first])
      const user = yield* session(database)
      yield* user.query("BEGIN")
      yield* user.query("SELECT FROM one")
      const waits = Effect.map(user.query(WAITS), ({ rows }) => rows.length > 0)
      const pooled = { ...source, connect: Effect.succeed(kept) }
      const running = yield* Effect.forkChild(migrateIn(pooled, [first, second]))
      yield* Effect.repeat(waits, { until: (is) => is, schedule: Schedule.spaced("20 millis") })
      yield* Effect.repeat(waits, { until: (is) => !is, schedule: Schedule.spaced("20 millis") })
      yield* Effect.sleep("200 millis")
      yield* Fiber.interrupt(running)
      const locks = `SELECT count(*)::int AS held FROM pg_locks
        WHERE locktype = 'advisory' AND pid = pg_backend_pid()`
      expect((yield* kept.query(locks, [], false)).rows).toEqual([{ held: 0 }])
    }),
  )

  it.live("are not run on a new database, which the first makes in its newest form", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      const first = {
        id: 1,
        name: "first",
        beside: 1,
        statements: ["CREATE TABLE one (n int, m int)"],
      }
      const second = {
        id: 2,
        name: "second",
        beside: 1,
        statements: ["ALTER TABLE one ADD COLUMN m int"],
      }
      yield* migrate(database, [first, second])
      yield* migrate(database, [first, second])
      expect(yield* applied(database)).toStrictEqual([
        { id: 1, name: "first" },
        { id: 2, name: "second" },
      ])
    }),
  )

  it.live("let others work where a long reader holds a table, and go on after it", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      const first = { id: 1, name: "first", beside: 1, statements: ["CREATE TABLE one (n int)"] }
      const change = ["ALTER TABLE one ADD COLUMN m int"]
      const second = { id: 2, name: "second", beside: 1, statements: change }
      yield* migrate(database, [first])
      const [reader, other] = yield* Effect.all([session(database), session(database)])
      yield* reader.query("BEGIN")
      yield* reader.query("SELECT * FROM one")
      const both = Effect.all(
        [migrate(database, [first, second]), migrate(database, [first, second])],
        {
          concurrency: "unbounded",
        },
      )
      const migrating = yield* Effect.forkScoped(both)
      yield* other.query(WAITS, [], false).pipe(
        Effect.repeat({
          until: ({ rows }) => rows.length > 0,
          schedule: Schedule.spaced("20 millis"),
        }),
      )
      // A statement behind the waiting step is let through when the step gives up.
      yield* other.query("INSERT INTO one (n) VALUES (1)")
      expect(yield* applied(database)).toStrictEqual([{ id: 1, name: "first" }])
      yield* reader.query("COMMIT")
      const [one, two] = yield* Fiber.join(migrating)
      expect([...one.taken, ...two.taken]).toStrictEqual(["second"])
      yield* other.query("UPDATE one SET m = 2")
    }).pipe(Effect.scoped),
  )

  it.live("refuse a database of before with one line that says what to do", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      yield* Effect.scoped(
        Effect.flatMap(session(database), (open) =>
          open.query("CREATE TABLE payport_migrations (id integer PRIMARY KEY, name text)"),
        ),
      )
      const failure = yield* Effect.flip(start(database))
      expect(failure).toBeInstanceOf(DatabaseUnusable)
      expect(failure.message).toContain("Delete the data folder, or use a new database")
      expect(failure.message).not.toContain("\n")
      expect(yield* tables(database, "public")).toStrictEqual(["payport_migrations"])
    }),
  )

  it.live("end the start with a clear error where the database is newer", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      yield* start(database)
      yield* Effect.scoped(
        Effect.flatMap(session(database), (open) =>
          open.query("INSERT INTO payport_schema (id, name) VALUES (999, 'from the future')"),
        ),
      )
      const failure = yield* Effect.flip(start(database))
      expect(failure).toBeInstanceOf(DatabaseUnusable)
      expect(failure.message).toContain("999 (from the future)")
      expect(failure.message).toContain("newer")
      const admin = yield* session(database)
      const says = (beside: number) =>
        admin.query("UPDATE payport_schema SET beside = $1 WHERE id = 999", [beside])
      const last = STEPS.at(-1)?.id ?? 0
      yield* says(last + 1)
      expect((yield* Effect.flip(start(database))).message).toBe(failure.message)
      // A step that this version may run beside keeps none of its processes from starting.
      yield* says(last)
      yield* start(database)
    }),
  )
})

describe("online steps", () => {
  const first = {
    id: 1,
    name: "first",
    beside: 1,
    statements: ["CREATE TABLE payport.one (n int, m int)"],
  }
  const index: Step = {
    id: 2,
    name: "index",
    beside: 1,
    online: [{ index: "one_n", on: "one", isUnique: true, as: "(n)" }],
  }
  const steps: Steps = [first, index]
  const INDEX = `SELECT indexrelid::int AS oid, indisvalid AS ready, indisunique AS single
    FROM pg_index WHERE indexrelid = to_regclass('payport.one_n')`

  /** The index, once the migration that makes it waits for the older transaction. */
  const WAITING = `${INDEX} AND EXISTS (${WAITS_FOR_OLDER})`

  it.live("keep no writer waiting, and two migrations take turns", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      yield* migrate(database, [first])
      const [older, writer] = yield* Effect.all([session(database), session(database)])
      yield* older.query("BEGIN")
      yield* older.query("INSERT INTO one (n) VALUES (1)")
      const migrating = yield* Effect.forkScoped(
        Effect.all([migrate(database, steps), migrate(database, steps)], {
          concurrency: "unbounded",
        }),
      )
      const waiting = yield* Effect.repeat(writer.query(WAITING, [], false), {
        until: ({ rows }) => rows.length > 0,
        schedule: Schedule.spaced("20 millis"),
      })
      expect(waiting.rows[0]?.["ready"]).toBe(false)
      yield* writer.query("INSERT INTO one (n) VALUES (2)")
      yield* writer.query("UPDATE one SET m = 2 WHERE n = 2")
      // The build still waits for the older transaction: it was not over when these were stored.
      expect((yield* writer.query(WAITING, [], false)).rows).toHaveLength(1)
      expect(yield* applied(database)).toHaveLength(1)
      yield* older.query("COMMIT")
      const [one, two] = yield* Fiber.join(migrating)
      expect([...one.taken, ...two.taken]).toStrictEqual(["index"])
      const { rows } = yield* writer.query(INDEX, [], false)
      expect(rows).toMatchObject([{ ready: true, single: true }])
      expect(yield* applied(database)).toHaveLength(2)
    }).pipe(Effect.scoped),
  )

  it.live("name in the log a forgotten session for which they wait, again and again", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      yield* migrate(database, [first])
      const forgotten = yield* PgConnection.make({ ...database, applicationName: "forgotten" })
      const { rows } = yield* forgotten.query("SELECT pg_backend_pid() AS pid")
      const pid = Number(rows[0]?.["pid"])
      yield* forgotten.query("BEGIN")
      yield* forgotten.query("INSERT INTO payport.one (n) VALUES (1)")
      const told: Array<string> = []
      const logger = Logger.make(({ message }) => void told.push(JSON.stringify(message)))
      const migrating = yield* Effect.forkScoped(
        Effect.provide(migrate(database, steps), Logger.layer([logger])),
      )
      const named = () => told.filter((line) => line.includes(`"pid":${pid},"name":"forgotten"`))
      yield* Effect.promise(() =>
        expect.poll(() => named().length, { timeout: 30_000 }).toBeGreaterThan(1),
      )
      expect(named()[0]).toContain('"state":"idle in transaction"')
      yield* forgotten.query("COMMIT")
      expect((yield* Fiber.join(migrating)).taken).toStrictEqual(["index"])
    }).pipe(Effect.scoped),
  )

  it.live("name in the log, once, the migration whose end they wait for", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      yield* migrate(database, [first])
      const other = yield* PgConnection.make({ ...database, applicationName: "other" })
      const { rows } = yield* other.query("SELECT pg_backend_pid() AS pid")
      yield* other.query(`SELECT pg_advisory_lock(${SCHEMA.lock(MIGRATION_LOCK)})`)
      const told: Array<string> = []
      const logger = Logger.make(({ message }) => void told.push(JSON.stringify(message)))
      const migrating = yield* Effect.forkScoped(
        Effect.provide(migrate(database, steps), Logger.layer([logger])),
      )
      yield* Effect.promise(() => expect.poll(() => told.length, { timeout: 30_000 }).toBe(1))
      expect(told[0]).toContain(`"pid":${Number(rows[0]?.["pid"])},"name":"other"`)
      yield* Effect.sleep("500 millis")
      yield* other.query(`SELECT pg_advisory_unlock(${SCHEMA.lock(MIGRATION_LOCK)})`)
      expect((yield* Fiber.join(migrating)).taken).toStrictEqual(["index"])
      expect(told).toHaveLength(1)
    }).pipe(Effect.scoped),
  )

  it.live("replace what a crashed attempt left, and keep what it finished", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      yield* migrate(database, [first])
      const admin = yield* session(database)
      yield* admin.query("INSERT INTO one (n) VALUES (1), (1)")
      const broken = yield* Effect.flip(migrate(database, steps))
      expect(broken._tag).toBe("SqlError")
      const left = yield* admin.query(INDEX, [], false)
      expect(left.rows).toMatchObject([{ ready: false }])
      yield* admin.query("DELETE FROM one")
      yield* migrate(database, steps)
      const made = yield* admin.query(INDEX, [], false)
      expect(made.rows).toMatchObject([{ ready: true }])
      // A crash after the index and before its record.
      yield* admin.query("DELETE FROM payport_schema WHERE id = 2")
      expect((yield* migrate(database, steps)).taken).toStrictEqual(["index"])
      expect((yield* admin.query(INDEX, [], false)).rows).toStrictEqual(made.rows)
      // A database that has passed the step is left alone.
      yield* admin.query("DROP INDEX one_n")
      expect((yield* migrate(database, steps)).taken).toStrictEqual([])
      expect((yield* admin.query(INDEX, [], false)).rows).toStrictEqual([])
    }).pipe(Effect.scoped),
  )

  it.live("validate a rule beside a writer whose row it has to wait for", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      const rule = "ALTER TABLE payport.one ADD CONSTRAINT one_rule CHECK (n > 0) NOT VALID"
      const added = { id: 2, name: "rule", beside: 1, statements: [rule] }
      const valid: Step = {
        id: 3,
        name: "rule holds",
        beside: 1,
        online: [{ rule: "one_rule", on: "one" }],
      }
      yield* migrate(database, [first])
      const [admin, writer] = yield* Effect.all([session(database), session(database)])
      yield* admin.query("INSERT INTO one (n) VALUES (0)")
      const steps: Steps = [first, added, valid]
      expect((yield* Effect.flip(migrate(database, steps)))._tag).toBe("SqlError")
      yield* admin.query("DELETE FROM one")
      yield* writer.query("BEGIN")
      yield* writer.query("INSERT INTO one (n) VALUES (1)")
      expect((yield* migrate(database, steps)).taken).toStrictEqual(["rule holds"])
      yield* writer.query("COMMIT")
      const { rows } = yield* admin.query(
        "SELECT convalidated AS ready FROM pg_constraint WHERE conname = 'one_rule'",
      )
      expect(rows).toStrictEqual([{ ready: true }])
    }).pipe(Effect.scoped),
  )

  it.live("mark the first keys that were rolled before and still work", () =>
    Effect.gen(function* () {
      const database = yield* testDatabase
      const store = Context.get(yield* Layer.build(PostgresStore.layer(database)), Store)
      const expires_at = Date.now() + DAY
      const key = (n: number, more: Partial<ApiKey> = {}) =>
        insert("api_key", anApiKey({ n, expires_at, ...more }))
      const rolled = (n: number, by: number) =>
        insert(
          "log_entry",
          aLogEntry({
            n,
            action: "api_key.rolled",
            target: id("key", n),
            details: { replaced_by: id("key", by), expires_at: null },
          }),
        )
      yield* store.commit({
        writes: [
          key(1),
          key(2),
          key(3, { minted_by: id("key", 2) }),
          key(4),
          key(5, { expires_at: T0 + 1 }),
          key(6),
          rolled(1, 2),
          rolled(3, 4),
          rolled(5, 6),
        ],
      })
      const admin = yield* session(database)
      const step = STEPS.find(({ name }) => name.startsWith("first keys that were rolled"))
      for (const sql of step === undefined ? [] : inOneTransaction(step)) yield* admin.query(sql)
      const found = yield* store.list("api_key", { by: { account_id: id("acct", 1) } })
      const issuers = Object.fromEntries(found.map((one) => [one.id, one.minted_by]))
      expect([1, 2, 3, 4, 5, 6].map((n) => issuers[id("key", n)])).toEqual([
        id("key", 2),
        null,
        id("key", 2),
        null,
        null,
        null,
      ])
    }).pipe(Effect.scoped),
  )

  it("make the indexes and check the rules of tables that processes write meanwhile", () => {
    const besides = Math.max(...STEPS.map(({ beside }) => beside))
    const blocking = STEPS.filter(({ id }) => id > besides).flatMap((step) => {
      if ("online" in step) return []
      const statements = inOneTransaction(step)
      const own = statements.flatMap((sql) => /^CREATE TABLE (\S+)/.exec(sql)?.[1] ?? [])
      return statements
        .filter((sql) => {
          const [, table = ""] = /(?:ALTER TABLE|\bON) (payport\.\w+)/.exec(sql) ?? []
          if (own.includes(table)) return false
          return /^CREATE (UNIQUE )?INDEX/.test(sql) || /CHECK(?![^]*NOT VALID)/.test(sql)
        })
        .map((sql) => [step.id, sql])
    })
    expect(blocking).toStrictEqual([])
  })
})

describe("processes of before", () => {
  const last = STEPS.at(-1)?.id ?? 0
  const step = (beside: number): Step => ({
    id: last + 1,
    name: "breaking",
    beside,
    statements: ["ALTER TABLE payport.one ADD COLUMN m int"],
  })
  const to = (beside: number): Steps => [...STEPS, step(beside)] as unknown as Steps

  const prepared = Effect.gen(function* () {
    const database = yield* testDatabase
    const admin = yield* session(database)
    yield* admin.query("CREATE TABLE payport.one (n int)")
    yield* admin.query("ALTER TABLE payport.one OWNER TO payport")
    return { database, admin, owner: ownerOf(database) }
  })

  it.live("that must not run beside a step have to be stopped first", () =>
    Effect.gen(function* () {
      const { admin, database, owner } = yield* prepared
      const scope = yield* Scope.make()
      const layer = PostgresStore.layer({ ...database, applicationName: "till-3" })
      const store = Context.get(yield* Layer.buildWithScope(layer, scope), Store)
      yield* storesOne(store)
      const failure = yield* Effect.flip(migrate(owner, to(last + 1)))
      expect(failure).toBeInstanceOf(DatabaseUnusable)
      const session = `till-3 (pid \\d+ of the server, role payport_service, schema step ${last})`
      expect(failure.message).toMatch(new RegExp(session.replaceAll(/[()]/g, "\\$&")))
      expect(failure.message).toMatch(/Stop them, and run it again\./)
      expect(yield* applied(database)).toHaveLength(STEPS.length)
      // It goes on, and a migration that it may run beside does not mind it.
      yield* storesOne(store)
      yield* Scope.close(scope, Exit.void)
      expect((yield* migrate(owner, to(last + 1))).taken).toStrictEqual(["breaking"])
      yield* admin.query("SELECT m FROM payport.one")
    }).pipe(Effect.scoped),
  )

  it.live("that announce nothing are named as well", () =>
    Effect.gen(function* () {
      const { database, owner } = yield* prepared
      const silent = yield* PgConnection.make({ ...database, applicationName: "older" })
      yield* silent.query(SCHEMA.place(holdCommitFunction(SCHEMA)), [], false)
      const failure = yield* Effect.flip(migrate(owner, to(last)))
      expect(failure.message).toMatch(/: older \(pid \d+ of the server, role payport_service\)\./)
      yield* silent.query("SELECT pg_advisory_unlock_all()")
      expect((yield* migrate(owner, to(last))).taken).toStrictEqual(["breaking"])
    }).pipe(Effect.scoped),
  )

  it.live("that may run beside a step store during it and after it, on new sessions, too", () =>
    Effect.gen(function* () {
      const { admin, database, owner } = yield* prepared
      const store = Context.get(yield* Layer.build(PostgresStore.layer(database)), Store)
      const index: Step = {
        id: last + 2,
        name: "index",
        beside: last,
        online: [{ index: "callbacks_more", on: "callbacks", as: "(last_at)" }],
      }
      const steps = [...to(last), index] as unknown as Steps
      yield* admin.query("BEGIN")
      yield* admin.query("LOCK TABLE payport.callbacks IN ROW EXCLUSIVE MODE")
      const migrating = yield* Effect.forkScoped(migrate(owner, steps))
      const watch = yield* session(database)
      yield* Effect.repeat(watch.query(WAITS_FOR_OLDER), {
        until: ({ rows }) => rows.length > 0,
        schedule: Schedule.spaced("20 millis"),
      })
      yield* storesOne(store)
      yield* admin.query("COMMIT")
      expect((yield* Fiber.join(migrating)).taken).toStrictEqual(["breaking", "index"])
      yield* endSessions(admin)
      yield* Effect.retry(storesOne(store), {
        times: 1_000,
        schedule: Schedule.spaced("20 millis"),
      })
    }).pipe(Effect.scoped),
  )

  it.live("get no session for commits after a step that they must not run beside", () =>
    Effect.gen(function* () {
      const { admin, database } = yield* prepared
      const store = Context.get(yield* Layer.build(PostgresStore.layer(database)), Store)
      yield* storesOne(store)
      yield* admin.query(
        `INSERT INTO payport_schema (id, name, beside) VALUES (999, 'next', ${last + 1})`,
      )
      yield* endSessions(admin)
      const why = yield* Effect.retry(
        Effect.flatMap(Effect.flip(storesOne(store)), (lost) =>
          JSON.stringify(lost).includes("start the newer version")
            ? Effect.succeed(lost)
            : Effect.fail(lost),
        ),
        { times: 1_000, schedule: Schedule.spaced("20 millis") },
      )
      expect(why._tag).toBe("StoreUnavailable")
    }).pipe(Effect.scoped),
  )

  const hook = { kinds: ["payment_intent"], run: () => undefined } as const
  it.live.each(["own connections", "a direct URL", "a host's pool"])(
    "write nothing over %s while they are not admitted, and go on once they are",
    (over) =>
      Effect.gen(function* () {
        const { admin, database } = yield* prepared
        const lock = SCHEMA.lock(RUNNING + last)
        yield* admin.query(`SELECT pg_advisory_lock(${lock})`)
        const settings =
          over === "a host's pool"
            ? { pool: yield* hostPool(database) }
            : { ...database, ...(over === "a direct URL" && { direct: database }) }
        const layer = PostgresStore.layer(settings, { beforeCommit: hook })
        const context = yield* Layer.build(layer)
        const { claimDue, commit } = Context.get(context, Store)
        const leases = Context.get(context, RateLeases)
        const documents = Context.get(context, Documents)
        let n = 0
        const writes: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
          storesOne(Context.get(context, Store)),
          Effect.suspend(() =>
            commit({ writes: [], audit: anAuditAct({ id: id("aud", (n += 1)) }) }),
          ),
          Effect.suspend(() =>
            commit({ writes: [insert("payment_intent", anIntent({ n: (n += 1) }))] }),
          ),
          claimDue("event", 0, { lease: 1, limit: 1 }),
          leases.purge(0),
          documents.remove("scope", ["id"]),
        ]
        const isRefused = (write: Effect.Effect<unknown, unknown>) =>
          Effect.map(
            Effect.result(write),
            (said) =>
              Result.isFailure(said) &&
              JSON.stringify(said.failure).includes("start the newer version"),
          )
        const answers = Effect.forEach(writes, isRefused)
        const becomes = (wanted: boolean) =>
          Effect.repeat(answers, {
            until: (all) => all.every((refused) => refused === wanted),
            schedule: Schedule.spaced("50 millis"),
          }).pipe(Effect.timeout("30 seconds"))
        yield* becomes(true)
        yield* admin.query(`SELECT pg_advisory_unlock(${lock})`)
        yield* becomes(false)
        for (const write of writes) yield* write
      }).pipe(Effect.scoped),
  )
})

describe("rights of the service's role", () => {
  it.live("are given with each step, so that a migration that fails later takes none away", () =>
    Effect.gen(function* () {
      const database = yield* testDatabase
      const owner = ownerOf(database)
      const last = STEPS.at(-1)?.id ?? 0
      // A table that is made anew has lost the rights that were given on the previous one.
      const anew: Step = {
        id: last + 1,
        name: "anew",
        beside: last,
        statements: [
          "CREATE TABLE payport.feeds_anew (LIKE payport.feeds INCLUDING ALL)",
          "DROP TABLE payport.feeds",
          "ALTER TABLE payport.feeds_anew RENAME TO feeds",
        ],
      }
      const broken: Step = { id: last + 2, name: "no", beside: last, statements: ["SELECT 1 / 0"] }
      const steps = [...STEPS, anew, broken] as unknown as Steps
      const failure = yield* Effect.flip(migrate(owner, steps, "payport_service"))
      expect(failure._tag).toBe("SqlError")
      const service = yield* PgConnection.make(serviceOf(database))
      yield* service.query("SELECT FROM payport.feeds")
      yield* service.query("DELETE FROM payport.feeds")
    }).pipe(Effect.scoped),
  )

  it.live("are given with the first step, on what is there", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      const part = { id: 1, name: "part", beside: 1, statements: STEPS[0].statements.slice(0, 1) }
      const broken = { id: 2, name: "no", beside: 1, statements: ["SELECT 1 / 0"] }
      yield* migrate(database, [part], "payport_service")
      yield* Effect.flip(migrate(database, [part, broken], "payport_service"))
      const { rows } = yield* (yield* session(database)).query(
        `SELECT count(*)::int AS given FROM pg_class, aclexplode(relacl) AS given
          WHERE relnamespace = 'payport'::regnamespace
            AND grantee = 'payport_service'::regrole AND relname <> 'payport_schema'`,
      )
      expect(rows).toStrictEqual([{ given: 4 }])
    }).pipe(Effect.scoped),
  )
})

describe("commit functions of other versions", () => {
  const OLD = "payport_commit_0123456789abcdef"
  const UNMARKED = "payport_commit_fedcba9876543210"
  const named = (name: string) => (sql: string) => sql.replaceAll(COMMIT_FUNCTION, name)
  const LEFT = `SELECT array(SELECT proname::text FROM pg_proc WHERE proname LIKE 'payport_commit_%'
      ORDER BY proname) AS functions,
    (SELECT count(*)::int FROM pg_type WHERE typname LIKE '${OLD}%' AND typtype = 'c') AS types`

  it.live("are dropped when no process calls them, and one's own never", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      yield* Layer.build(PostgresStore.layer(database))
      const owner = yield* PgConnection.make(database)
      const old = [...CREATE_COMMIT_FUNCTION, MARK_COMMIT_FUNCTION].map(named(OLD))
      const unmarked = CREATE_COMMIT_FUNCTION.map(named(UNMARKED))
      for (const sql of [...old, ...unmarked]) yield* owner.query(sql, [], false)
      const left = Effect.map(owner.query(LEFT, [], false), ({ rows }) => rows[0])

      const process = yield* PgConnection.make(database)
      yield* process.query(named(OLD)(holdCommitFunction(SCHEMA)), [], false)
      yield* migrate(database, STEPS)
      const all = [OLD, UNMARKED, COMMIT_FUNCTION].toSorted()
      expect((yield* left)?.["functions"]).toStrictEqual(all)

      yield* process.query("SELECT pg_advisory_unlock_all()")
      yield* migrate(database, STEPS)
      const kept = all.filter((name) => name !== OLD)
      expect(yield* left).toStrictEqual({ functions: kept, types: 0 })
      // Another version's migration would find this process's function held, once it can commit.
      const held = owner.query(
        `SELECT FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock' AND objsubid = 2
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      )
      const until = ({ rows }: Effect.Success<typeof held>) => rows.length === 1
      yield* Effect.repeat(held, { until, schedule: Schedule.spaced("20 millis") })
    }).pipe(Effect.scoped),
  )
})

it.live("refuses tables whose triggers are disabled, and changes nothing", () =>
  Effect.gen(function* () {
    const database = yield* emptyDatabase
    yield* migrate(database, STEPS)
    const open = yield* session(database)
    yield* open.query("ALTER TABLE payport.postings DISABLE TRIGGER ALL")
    const later = { id: 9_999, name: "later", beside: 1, statements: ["CREATE TABLE later ()"] }
    const refusal = yield* Effect.flip(migrate(database, [...STEPS, later]))
    expect(refusal).toBeInstanceOf(DatabaseUnusable)
    expect(refusal.message).toMatch(
      /are disabled: postings_added on postings; postings_kept on postings\. A restore may/,
    )
    expect((yield* applied(database)).map(({ name }) => name)).not.toContain("later")
    for (const trigger of ["postings_added", "postings_kept"]) {
      yield* open.query(`ALTER TABLE payport.postings ENABLE ALWAYS TRIGGER ${trigger}`)
    }
    yield* migrate(database, STEPS)
  }),
)

it.live("leaves a host's own triggers in the schema alone, disabled or not", () =>
  Effect.gen(function* () {
    const database = yield* emptyDatabase
    yield* migrate(database, STEPS)
    const open = yield* session(database)
    for (const sql of [
      "CREATE TABLE payport.notes (text text)",
      `CREATE FUNCTION payport.noted() RETURNS trigger LANGUAGE plpgsql
        AS 'BEGIN RETURN NEW; END'`,
      `CREATE TRIGGER noted BEFORE INSERT ON payport.notes
        FOR EACH ROW EXECUTE FUNCTION payport.noted()`,
      "ALTER TABLE payport.notes DISABLE TRIGGER noted",
      `CREATE TRIGGER copied BEFORE INSERT ON payport.accounts
        FOR EACH ROW EXECUTE FUNCTION payport.noted()`,
      "ALTER TABLE payport.accounts ENABLE REPLICA TRIGGER copied",
    ]) {
      yield* open.query(sql)
    }
    yield* migrate(database, STEPS)
  }),
)
