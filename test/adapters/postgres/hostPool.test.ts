import { it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, Schedule } from "effect"
import { EventEmitter } from "node:events"
import { Pool, types } from "pg"
import { describe, expect, test } from "vitest"
import { ourSchema } from "../../../adapters/postgres/OurSchema.ts"
import * as PostgresStore from "../../../adapters/postgres/PostgresStore.ts"
import { borrow, type HostPool, hostFailure } from "../../../adapters/postgres/sessions/HostPool.ts"
import { HOST_TYPES, parameterText } from "../../../adapters/postgres/sessions/hostValues.ts"
import { Documents } from "../../../core/ports/Documents.ts"
import { RateLeases } from "../../../core/ports/RateLeases.ts"
import { Store } from "../../../core/ports/Store.ts"
import { anAccount, anAuditAct, aService } from "../../support/records.ts"
import { emptyDatabase, session, type TestDatabase } from "../../support/postgres.ts"

describe("values that travel by a host's driver", () => {
  test.each([
    [null, null],
    ["a", "a"],
    [7, "7"],
    [true, "true"],
    [new Date(0), "1970-01-01T00:00:00.000Z"],
    [[], "{}"],
    [["a", 'b"\\', null, "NULL"], '{"a","b\\"\\\\",NULL,"NULL"}'],
  ])("are written: %j", (value, text) => expect(parameterText(value)).toBe(text))

  test.each([
    [16, "t", true],
    [20, "9007199254740993", 9007199254740993n],
    [23, "-7", -7],
    [114, '{"b":1,"a":[]}', { b: 1, a: [] }],
    [1184, "2026-01-02 03:04:05.67+00", new Date("2026-01-02T03:04:05.670Z")],
    [1184, "2026-01-02 03:04:05+05:30", new Date("2026-01-01T21:34:05Z")],
    [1700, "0.10", "0.10"],
    [2950, "018f0000-0000-7000-8000-000000000001", "018f0000-0000-7000-8000-000000000001"],
    [1009, "{}", []],
    [1009, '{a,"b c","d\\"\\\\",NULL,"NULL",""}', ["a", "b c", 'd"\\', null, "NULL", ""]],
  ])("are read: type %i, %j", (type, text, value) =>
    expect(HOST_TYPES.getTypeParser(type)(text)).toEqual(value),
  )

  test("and times in another form are no times", () => {
    expect(() => HOST_TYPES.getTypeParser(1184)("02.01.2026 03:04:05 CET")).toThrow(/DateStyle/)
  })

  test.each([
    [{ code: "23505", constraint: "accounts_pkey" }, "UniqueViolation"],
    [{ code: "40001" }, "SerializationError"],
    [{ code: "55P03" }, "LockTimeoutError"],
    [{ code: "22012" }, "UnknownError"],
    [{ code: "EPIPE" }, "ConnectionError"],
    [{ code: "08006" }, "ConnectionError"],
    [new Error("Connection terminated unexpectedly"), "ConnectionError"],
  ])("fail as on our own connections: %j", (error, tag) =>
    expect(hostFailure(error, "query").reason._tag).toBe(tag),
  )
})

const configOf = ({ database, host, password, port, username }: TestDatabase) => ({
  host,
  port,
  database,
  user: username,
  password: Redacted.value(password ?? Redacted.make("")),
  application_name: "host",
})

const aPool = (database: TestDatabase, max = 8, more: object = {}) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const pool = new Pool({ ...configOf(database), max, ...more })
      // Without a listener for errors, a lost connection would end the process.
      return pool.on("error", () => undefined)
    }),
    (pool) => Effect.promise(() => pool.end()),
  )

/** A connection without a server, and how it was given back. */
const aClient = () => {
  const released: Array<boolean | undefined> = []
  const client = Object.assign(new EventEmitter(), {
    query: () => Promise.resolve({ rows: [] }),
    release: (destroy?: boolean) => void released.push(destroy),
  })
  return { client, released }
}

const open = (settings: Parameters<typeof PostgresStore.layer>[0]) =>
  Layer.build(PostgresStore.layer(settings))

const insert = (n: number) =>
  ({ writes: [{ op: "insert", kind: "account", record: anAccount({ n }) }] }) as const

/** Changes the parsers of types, as a host may do. */
const mangle = (): (() => void) => {
  const numbers = [16, 20, 21, 23, 114, 1009, 1184, 1700, 2950]
  const before = numbers.map((type) => {
    const parser: (value: string) => unknown = types.getTypeParser(type)
    types.setTypeParser(type, () => "mangled")
    return () => types.setTypeParser(type, parser)
  })
  return () => before.forEach((restore) => restore())
}

describe("a host's pool", () => {
  it.live("serves everything, and has its connections back as they were", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      const pool = yield* aPool(database)
      const restore = mangle()
      const account = anAccount()
      const service = aService()
      yield* Effect.gen(function* () {
        const [one, two] = [yield* open({ pool }), yield* open({ pool })]
        const { commit, find } = Context.get(one, Store)
        yield* commit({
          writes: [
            { op: "insert", kind: "account", record: account },
            { op: "insert", kind: "service", record: service },
          ],
          audit: anAuditAct(),
        })
        const others = Context.get(two, Store)
        expect(yield* others.find("service", service.id)).toEqual(service)
        expect((yield* others.readAudit({ after: 0, limit: 9 })).length).toBe(1)
        expect(yield* others.find("account", account.id)).toEqual(account)
        const record = { ...account, name: "Renamed" }
        yield* commit({ writes: [{ op: "replace", kind: "account", record }] })
        yield* others
          .find("account", account.id)
          .pipe(
            Effect.repeat({ until: (it) => it?.name === "Renamed", schedule: Schedule.spaced(20) }),
          )
        const stale = yield* Effect.flip(
          commit({ writes: [{ op: "replace", kind: "account", record }] }),
        )
        expect(stale).toMatchObject({ reason: { type: "stale_version" } })
        const documents = Context.get(one, Documents)
        const document = { scope: "s", id: "d", version: 0, body: { z: 1, a: 2 }, due_at: 7 }
        yield* documents.put(document)
        expect(yield* documents.get("s", "d")).toEqual({ ...document, version: 1 })
        const window = { account_id: account.id, rate_class: "standard", window: 0 } as const
        const leases = Context.get(one, RateLeases)
        expect(yield* leases.lease([{ ...window, wanted: 2, limit: 3 }])).toEqual([
          { granted: 2, left: 1 },
        ])
        expect((yield* find("account", account.id))?.version).toBe(2)
      }).pipe(Effect.scoped, Effect.ensuring(Effect.sync(restore)))
      expect([pool.ended, pool.idleCount]).toEqual([false, pool.totalCount])
      const kept = `SELECT current_setting('statement_timeout') AS timeout,
        (SELECT count(*)::int FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'advisory')
          AS locks,
        (SELECT count(*)::int FROM pg_prepared_statements) AS prepared,
        (SELECT count(*)::int FROM pg_listening_channels()) AS channels`
      const all = Array.from({ length: pool.totalCount }, () => pool.query(kept))
      for (const { rows } of yield* Effect.promise(() => Promise.all(all))) {
        expect(rows).toEqual([{ timeout: "0", locks: 0, prepared: 0, channels: 0 }])
      }
    }).pipe(Effect.scoped),
  )

  it.live("that is used up refuses in time, stores nothing, and serves again", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      const pool = yield* aPool(database, 3)
      const { commit, find } = Context.get(yield* open({ pool }), Store)
      yield* commit(insert(1))
      const taken = yield* Effect.promise(() => Promise.all([pool.connect(), pool.connect()]))
      const failure = yield* Effect.flip(commit(insert(2)))
      expect(failure).toMatchObject({ _tag: "StoreUnavailable", outcome: "not_stored" })
      for (const client of taken) client.release()
      yield* Effect.retry(commit(insert(3)), Schedule.spaced(50))
      expect(yield* find("account", anAccount({ n: 2 }).id)).toBeUndefined()
      expect(yield* find("account", anAccount({ n: 3 }).id)).toEqual(anAccount({ n: 3 }))
    }).pipe(Effect.scoped),
  )

  it.live("whose connections are cut loses nothing that was answered, and serves again", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      const pool = yield* aPool(database)
      const { commit, find } = Context.get(yield* open({ pool }), Store)
      const admin = yield* session(database)
      const cut = admin.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'host'",
        [],
        false,
      )
      const numbers = Array.from({ length: 60 }, (_, n) => n + 1)
      const commits = Effect.forEach(
        numbers,
        (n) =>
          Effect.delay(
            Effect.map(Effect.result(commit(insert(n))), ({ _tag }) => _tag),
            n * 5,
          ),
        { concurrency: "unbounded" },
      )
      const [answers] = yield* Effect.all([commits, Effect.delay(cut, 100)], {
        concurrency: "unbounded",
      })
      yield* Effect.retry(commit(insert(99)), Schedule.spaced(50))
      for (const [at, answer] of answers.entries()) {
        if (answer !== "Success") continue
        const record = anAccount({ n: at + 1 })
        expect(yield* find("account", record.id)).toEqual(record)
      }
    }).pipe(Effect.scoped),
  )

  it.live("whose connection ends as soon as it is open ends no process", () =>
    Effect.gen(function* () {
      let heard: number | undefined
      // The server's words that it is ready, and those that it ends, are read together.
      class Client extends EventEmitter {
        connect(opened: () => void): void {
          setImmediate(() => {
            opened()
            heard = this.listenerCount("error")
            if (heard > 0) this.emit("error", new Error("terminating connection"))
          })
        }
        query(): Promise<never> {
          return Promise.reject(new Error("Client was closed"))
        }
        end(ended: () => void): void {
          setImmediate(ended)
        }
      }
      const pool = Object.assign(new Pool(), { Client })
      const { connection } = yield* borrow(pool, ourSchema("payport"), true)
      yield* Effect.sleep(20)
      expect(heard).toBe(1)
      const failure = yield* Effect.flip(connection.query("SELECT 1", [], false))
      expect(failure.reason._tag).toBe("ConnectionError")
      expect(pool.totalCount).toBe(0)
    }),
  )

  it.live("that calls back and returns a promise as well lends, or says why not", () =>
    Effect.gen(function* () {
      type Called = (error: Error | null, client?: object) => void
      const poolOf = (call: (called: Called) => void): HostPool => ({
        connect: async (called?: Called) => {
          setImmediate(() => called && call(called))
          // It settles before the pool calls back.
          return undefined as never
        },
      })
      const { client } = aClient()
      const lending = poolOf((called) => called(null, client))
      yield* borrow(lending, ourSchema("payport"), true)
      expect(client.listenerCount("error")).toBe(1)
      const refusing = poolOf((called) => called(new Error("the pool is closed")))
      const failure = yield* Effect.flip(borrow(refusing, ourSchema("payport"), true))
      expect(failure.message).toMatch(/the pool is closed/)
    }),
  )

  it.live("that calls back and promises the same connection lends it once", () =>
    Effect.gen(function* () {
      const { client, released } = aClient()
      const pool: HostPool = {
        connect: (called?: (error: null, lent: typeof client) => void) => {
          setImmediate(() => called?.(null, client))
          return new Promise((resolve) => setImmediate(resolve, client))
        },
      }
      const session = yield* borrow(pool, ourSchema("payport"), true)
      yield* Effect.sleep(20)
      expect(client.listenerCount("error")).toBe(1)
      session.close(false)
      expect([released, client.listenerCount("error")]).toEqual([[false], 0])
    }),
  )

  it.live("that lends too late has its connection back", () =>
    Effect.gen(function* () {
      const { client, released } = aClient()
      const lends = Promise.withResolvers<typeof client>()
      const asked = borrow({ connect: () => lends.promise }, ourSchema("payport"), true)
      expect((yield* Effect.flip(asked)).message).toMatch(/no free connection in time/)
      lends.resolve(client)
      yield* Effect.sleep(20)
      expect(released).toEqual([undefined])
      expect(client.listenerCount("error")).toBe(0)
    }),
  )

  it.live("that cannot be used ends the start in one line", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      const said = (pool: HostPool) =>
        Effect.map(Effect.flip(Effect.scoped(open({ pool }))), ({ message }) => message)
      expect(yield* said(yield* aPool(database, 1))).toMatch(
        /^The pool gives payport only one connection/,
      )
      const broken = { connect: () => Promise.reject(new Error("no tunnel")) }
      expect(yield* said(broken)).toMatch(
        /^The PostgreSQL database of the pool cannot be used: no tunnel/,
      )
      const thrown: HostPool = {
        connect: () => {
          throw new Error("closed")
        },
      }
      expect(yield* said(thrown)).toMatch(/cannot be used: closed/)
      const refused = yield* aPool({ ...database, password: Redacted.make("wrong") })
      expect(yield* said(refused)).toMatch(
        /the pool's role does not exist, .* CREATE ROLE … LOGIN PASSWORD … \[28P01\]\.$/,
      )
      expect(yield* said(yield* aPool({ ...database, database: "nowhere" }))).toMatch(
        /its database is not there\. .* CREATE DATABASE … OWNER …, or name another \[3D000\]/,
      )
      expect(yield* said(yield* aPool({ ...database, host: "db.invalid" }))).toMatch(
        /its host was not found\./,
      )
      expect(yield* said(yield* aPool(database, 8, { binary: true }))).toMatch(
        /come in binary form: remove `binary` from the pool's options\./,
      )
    }).pipe(Effect.scoped),
  )

  it.live("of one connection is enough beside a direct URL", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      const pool = yield* aPool(database, 1)
      const { commit, find } = Context.get(yield* open({ pool, direct: database }), Store)
      yield* commit({ ...insert(1), audit: anAuditAct() })
      expect(yield* find("account", anAccount().id)).toEqual(anAccount())
    }).pipe(Effect.scoped),
  )
})
