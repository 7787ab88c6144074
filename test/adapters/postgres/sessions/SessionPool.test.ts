import { it } from "@effect/vitest"
import { Effect, Exit, Fiber, Schedule, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import dns from "node:dns"
import { describe, expect, onTestFinished, vi } from "vitest"
import { configOf } from "../../../../adapters/postgres/access.ts"
import { databaseError } from "../../../../adapters/postgres/failures.ts"
import { poolMeasures } from "../../../../adapters/postgres/measures.ts"
import { makeOpen, noSession } from "../../../../adapters/postgres/sessions/Session.ts"
import type { PoolOptions } from "../../../../adapters/postgres/sessions/PoolOptions.ts"
import { MOST_WAITING, SessionPool } from "../../../../adapters/postgres/sessions/SessionPool.ts"
import { CurrentDeadline } from "../../../../core/shared/CurrentDeadline.ts"
import { CuttingProxy } from "../../../support/CuttingProxy.ts"
import { emptiedDatabase, session } from "../../../support/postgres.ts"

/** The answer of a look-up: all addresses, as node's sockets request. */
type Found = (error: null, addresses: ReadonlyArray<dns.LookupAddress>) => void

const eventually = (reached: () => boolean) =>
  Effect.sync(reached).pipe(
    Effect.repeat({ until: (is) => is, schedule: Schedule.spaced("5 millis") }),
    Effect.timeout("45 seconds"),
  )

/** A statement that a read-only server refuses, even though it changes no row. */
const WRITE = "UPDATE documents SET version = version WHERE false"

/** A pool behind a proxy that can hang, with the server's own look at it. */
const opened = Effect.fnUntraced(function* (options: Partial<PoolOptions> = {}) {
  const database = yield* emptiedDatabase
  const proxy = yield* CuttingProxy.make(database)
  const admin = yield* session(database)
  const place = { host: "127.0.0.1", port: proxy.port }
  const open = makeOpen({ ...(yield* configOf(database)), applicationName: "pooled" }, [place])
  let attempts = 0
  let atOnce = 0
  let most = 0
  const counted = Effect.suspend(() => {
    attempts++
    most = Math.max(most, ++atOnce)
    return Effect.ensuring(
      open({}, "read-write"),
      Effect.sync(() => atOnce--),
    )
  })
  const pool: SessionPool = yield* SessionPool.make({
    open: counted,
    most: 1,
    silence: 60_000,
    onReadOnly: () => pool.renew(),
    measures: poolMeasures("test"),
    ...options,
  })
  const ask = (sql: string) => pool.use((connection) => connection.query(sql, [], false))
  const sessions = Effect.map(
    admin.query("SELECT pid FROM pg_stat_activity WHERE application_name = 'pooled'", [], false),
    ({ rows }) => rows.map(({ pid }) => pid),
  )
  const openings = () => ({ attempts, most })
  return { admin, ask, openings, pool, proxy, sessions }
})

const check = (name: string, test: () => Effect.Effect<void, unknown, Scope.Scope>) =>
  it.live(name, () => Effect.scoped(Effect.suspend(test)))

const codeOf = (asking: Effect.Effect<unknown, SqlError>) =>
  Effect.map(Effect.flip(asking), (error) => databaseError(error).code)

describe("a pool that keeps a session open", () => {
  check("opens it after a failure without being asked, also if its timer ends early", () =>
    Effect.gen(function* () {
      const timer = globalThis.setTimeout
      const early = (call: () => void, wait = 0) => timer(call, Math.max(wait - 20, 0))
      vi.spyOn(globalThis, "setTimeout").mockImplementation(early)
      let attempts = 0
      const open = Effect.suspend(() => {
        attempts++
        return Effect.fail(noSession("ECONNREFUSED", "The server is away."))
      })
      yield* opened({ open, least: 1 })
      yield* eventually(() => attempts > 3)
    }),
  )
})

describe("while the server says nothing", () => {
  check("a bounded number waits, and who gives up leaves nothing behind", () =>
    Effect.gen(function* () {
      const { ask, pool, proxy } = yield* opened()
      yield* ask("SELECT 1")
      proxy.hang(true)
      const asking = yield* Effect.forkChild(ask("SELECT 1"), { startImmediately: true })
      const waiting = yield* Effect.forEach(Array.from({ length: MOST_WAITING }), () =>
        Effect.forkChild(ask("SELECT 1")),
      )
      yield* eventually(() => pool.waiting === MOST_WAITING)
      expect(yield* codeOf(ask("SELECT 1"))).toBe("BUSY")
      yield* Fiber.interruptAll(waiting)
      expect(pool.waiting).toBe(0)
      proxy.hang(false)
      expect(Exit.isSuccess(yield* Fiber.await(asking))).toBe(true)
    }),
  )

  check("nobody waits beyond their deadline", () =>
    Effect.gen(function* () {
      const { ask, pool, proxy } = yield* opened()
      yield* ask("SELECT 1")
      proxy.hang(true)
      const asking = yield* Effect.forkChild(ask("SELECT 1"), { startImmediately: true })
      for (const left of [0, 20]) {
        const late = Effect.provideService(ask("SELECT 1"), CurrentDeadline, { left: () => left })
        expect(yield* codeOf(late)).toBe("BUSY")
      }
      expect(pool.waiting).toBe(0)
      proxy.hang(false)
      yield* Fiber.join(asking)
    }),
  )

  check("its session is closed, and the next one is used once it is back", () =>
    Effect.gen(function* () {
      const { ask, proxy } = yield* opened({ silence: 300 })
      yield* ask("SELECT 1")
      proxy.hang(true)
      const error = yield* Effect.flip(ask("SELECT 1"))
      expect(error.reason).toMatchObject({ _tag: "ConnectionError", operation: "query" })
      proxy.hang(false)
      expect((yield* ask("SELECT 2 AS two")).rows).toEqual([{ two: 2 }])
    }),
  )

  check("the end of the pool waits for nothing", () =>
    Effect.gen(function* () {
      const { ask, pool, proxy } = yield* opened()
      yield* ask("SELECT 1")
      proxy.hang(true)
      const asking = yield* Effect.forkChild(Effect.exit(ask("SELECT 1")))
      const waiting = yield* Effect.forkChild(codeOf(ask("SELECT 1")))
      yield* eventually(() => pool.waiting === 1)
      pool.close()
      expect(Exit.isFailure(yield* Fiber.join(asking))).toBe(true)
      expect(yield* Fiber.join(waiting)).toBe("CLOSED")
      expect(yield* codeOf(ask("SELECT 1"))).toBe("CLOSED")
    }),
  )
})

describe("while the server takes no connection", () => {
  check("sessions are tried one by one, and who asks is refused at once", () =>
    Effect.gen(function* () {
      const { ask, openings, proxy } = yield* opened({ least: 1, most: 4 })
      yield* ask("SELECT 1")
      proxy.drop(true)
      const asking = Effect.forEach(
        Array.from({ length: 100 }),
        () => Effect.exit(ask("SELECT 1")),
        {
          concurrency: "unbounded",
        },
      )
      yield* eventually(() => openings().attempts >= 3)
      const before = openings().attempts
      expect((yield* asking).every(Exit.isFailure)).toBe(true)
      expect(openings().attempts - before).toBeLessThanOrEqual(1)
      expect(openings().most).toBe(1)
      proxy.drop(false)
      yield* Effect.eventually(ask("SELECT 1"))
    }),
  )
})

describe("of several servers", () => {
  check("the first is taken that does what is needed, and it is tried first from then on", () =>
    Effect.gen(function* () {
      const database = yield* emptiedDatabase
      const [away, here] = yield* Effect.all([
        CuttingProxy.make(database),
        CuttingProxy.make(database),
      ])
      away.drop(true)
      const places = [away, here].map(({ port }) => ({ host: "127.0.0.1", port }))
      const [first, second] = places
      const open = makeOpen(yield* configOf(database), [first!, second!])
      expect((yield* open({}, "read-write")).place).toEqual(second)
      away.drop(false)
      expect((yield* open({}, "read-write")).place).toEqual(second)
      here.drop(true)
      expect((yield* open({}, "read-write")).place).toEqual(first)
    }),
  )

  check("a name is looked up anew for each connection", () =>
    Effect.gen(function* () {
      const database = yield* emptiedDatabase
      const { port } = yield* CuttingProxy.make(database)
      const answers = ["127.0.0.1", "127.0.0.9", "127.0.0.1"]
      const asked: Array<string> = []
      const lookUp = (host: string, _options: object, then: Found) => {
        asked.push(host)
        then(null, [{ address: answers.shift() ?? "", family: 4 }])
      }
      const spy = vi.spyOn(dns, "lookup").mockImplementation(lookUp as typeof dns.lookup)
      onTestFinished(() => spy.mockRestore())
      const config = yield* configOf(database)
      const open = makeOpen(config, [{ host: "database.example", port }])
      const found = Effect.map(Effect.exit(open({}, "primary")), Exit.isSuccess)
      expect([yield* found, yield* found, yield* found]).toEqual([true, false, true])
      expect(asked).toEqual(Array(3).fill("database.example"))
    }),
  )

  check("one that takes no writes is good for reading alone", () =>
    Effect.gen(function* () {
      const database = yield* emptiedDatabase
      const open = makeOpen(yield* configOf(database), [database])
      const startupParameters = { default_transaction_read_only: "on" }
      expect(yield* codeOf(open({ startupParameters }, "read-write"))).toBe("25006")
      const { close } = yield* open({ startupParameters }, "primary")
      close(false)
    }),
  )
})

describe("a session whose server", () => {
  check("takes no writes any more is not used again, nor are its neighbours", () =>
    Effect.gen(function* () {
      const { ask, sessions } = yield* opened({ most: 2 })
      const both = Effect.all([ask("SELECT pg_sleep(0.05)"), ask("SELECT pg_sleep(0.05)")], {
        concurrency: 2,
      })
      // On a busy machine, the first may be done before the second has opened a session.
      const open = Effect.andThen(both, sessions)
      const before = yield* Effect.repeat(open, { until: ({ length }) => length === 2 })
      yield* ask("SET default_transaction_read_only = on")
      expect(yield* codeOf(ask(WRITE))).toBe("25006")
      yield* ask(WRITE)
      const after = yield* sessions
      expect(after.filter((pid) => before.includes(pid))).toEqual([])
    }),
  )

  check("ends it is not used again", () =>
    Effect.gen(function* () {
      const { admin, ask, sessions } = yield* opened()
      yield* ask("SELECT 1")
      const [pid] = yield* sessions
      yield* admin.query("SELECT pg_terminate_backend($1::int)", [pid], false)
      yield* Effect.eventually(ask("SELECT 1"))
      expect(yield* sessions).not.toContain(pid)
    }),
  )
})
