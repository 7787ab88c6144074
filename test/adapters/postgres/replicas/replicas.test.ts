import { it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Logger, Schedule, type Scope } from "effect"
import { realpath } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect } from "vitest"
import type { ConnectionSettings } from "../../../../adapters/postgres/ConnectionSettings.ts"
import { DatabaseUnusable } from "../../../../adapters/postgres/DatabaseUnusable.ts"
import { processesServing } from "../../../../adapters/postgres/embedded/processes.ts"
import * as PostgresStore from "../../../../adapters/postgres/PostgresStore.ts"
import { ReplicaStates } from "../../../../adapters/shared/ReplicaStates.ts"
import { Store } from "../../../../core/ports/Store.ts"
import { CurrentAsker } from "../../../../core/shared/CurrentAsker.ts"
import { CurrentDeadline } from "../../../../core/shared/CurrentDeadline.ts"
import type { Postgres } from "../../../chaos/Postgres.ts"
import { promote } from "../../../chaos/standby.ts"
import { anAccount, anApiKey, anEndpoint, hash, id } from "../../../support/records.ts"
import { makeStreamingPair, type StreamingPair } from "../../../support/streamingPair.ts"

let pair: StreamingPair
let primary: Postgres
let standby: Postgres
let made = 0

beforeAll(async () => {
  pair = await makeStreamingPair()
  ;({ primary, standby } = pair)
})

afterAll(() => pair.close())

beforeEach(async () => {
  await standby.manage("SELECT pg_wal_replay_resume()")
  await primary.ask("DELETE FROM documents WHERE scope = 'writers'")
})

const logs: Array<string> = []
const logged = Logger.layer([Logger.make(({ message }) => logs.push(String(message)))])

/** A process on the pair. A test may start several. */
const start = (
  server: ConnectionSettings = standby.connection,
  longestLag = 10,
  of: ConnectionSettings = primary.connection,
): Effect.Effect<Context.Context<Store>, DatabaseUnusable, Scope.Scope> =>
  Layer.build(PostgresStore.layer({ ...of, replicas: { servers: [server], longestLag } })).pipe(
    Effect.provide(logged),
  )

type Process = Effect.Success<ReturnType<typeof start>>

const stateOf = (process: Process) => Context.get(process, ReplicaStates)()[0]

const until = (process: Process, state: string) =>
  Effect.sync(() => stateOf(process)).pipe(
    Effect.tap(Effect.sleep("20 millis")),
    Effect.repeat({ until: (now) => now === state }),
    Effect.timeout("50 seconds"),
  )

/** One that has looked at the replica, and uses it. */
const using = (longestLag?: number) =>
  Effect.tap(start(standby.connection, longestLag), (process) => until(process, "used"))

/** Returns an account's listed ids and their age; null for current data. */
const listed = Effect.fnUntraced(function* (
  process: Process,
  account: string,
  name: string | null,
) {
  const told: { age: number | null } = { age: null }
  const found = yield* Effect.provideService(
    Context.get(process, Store).list("endpoint", { by: { account_id: account }, order: "oldest" }),
    CurrentAsker,
    { name, accepts: (age) => (told.age = age) },
  )
  return { ids: found.map((record) => record.id), age: told.age }
})

/** The same, once the replica answers: on a busy machine a look at it may come to nothing. */
const fromReplica = (process: Process, account: string, name: string | null) =>
  Effect.repeat(Effect.tap(listed(process, account, name), Effect.sleep("20 millis")), {
    until: ({ age }) => age !== null,
  })

/** Waits until the replica shows so many records of an account. */
const untilShown = (process: Process, account: string, count: number) =>
  Effect.repeat(fromReplica(process, account, null), { until: ({ ids }) => ids.length === count })

const untilTold = (line: RegExp) =>
  Effect.promise(() => expect.poll(() => logs.at(-1)).toMatch(line))

const write = Effect.fnUntraced(function* (process: Process, account: string, name: string | null) {
  made += 1
  const record = anEndpoint({ id: id("we", made), account_id: account, place: (made % 16) + 1 })
  const { commit } = Context.get(process, Store)
  yield* Effect.provideService(
    commit({ writes: [{ op: "insert", kind: "endpoint", record }] }),
    CurrentAsker,
    { name },
  )
  return record.id
})

const pause = Effect.promise(() => standby.manage("SELECT pg_wal_replay_pause()"))
const resume = Effect.promise(() => standby.manage("SELECT pg_wal_replay_resume()"))

/** Makes the standby replay everything later by this time. */
const delay = (time: string) =>
  Effect.promise(() => standby.configure({ recovery_min_apply_delay: `'${time}'` }))

/** Stops all processes of the standby where they are, or lets them go on. */
const signalAll = (signal: "SIGSTOP" | "SIGCONT") =>
  Effect.promise(async () => {
    const data = await realpath(join(standby.folder, "postgres/data"))
    for (const pid of await processesServing(data)) globalThis.process.kill(pid, signal)
  })

/** A question that a silent replica holds up for good takes longer, in milliseconds. */
const NOT_HUNG = 10_000

/** An account of a test's own. */
let accounts = 100
const anAccountId = () => id("acct", (accounts += 1))

describe("a streaming replica", () => {
  it.live("answers whoever accepts it, says how old it is, and nobody who decides", () =>
    Effect.gen(function* () {
      const process = yield* using()
      const account = anAccountId()
      const first = yield* write(process, account, null)
      yield* untilShown(process, account, 1)
      yield* pause
      const second = yield* write(process, account, null)
      // The answer comes from the replica, since the change that it has not replayed is missing.
      const then = yield* fromReplica(process, account, "somebody else")
      expect(then.ids).toStrictEqual([first])
      expect(then.age).toBeGreaterThan(0)
      yield* Effect.sleep("1 second")
      const later = yield* fromReplica(process, account, null)
      expect(later.ids).toStrictEqual([first])
      expect(later.age).toBeGreaterThan(900)
      const list = Context.get(process, Store).list("endpoint", {
        by: { account_id: account },
        order: "oldest",
      })
      expect((yield* list).map((record) => record.id)).toStrictEqual([first, second])
      yield* resume
      expect((yield* untilShown(process, account, 2)).ids).toStrictEqual([first, second])
    }).pipe(Effect.scoped),
  )

  it.live("hides from nobody what it wrote itself, whichever process it wrote and reads with", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* using(), yield* using()]
      const account = anAccountId()
      yield* pause
      const written = yield* write(one, account, account)
      for (const process of [one, other, yield* start()]) {
        const { age, ids } = yield* listed(process, account, account)
        expect(ids).toStrictEqual([written])
        expect(age).toBeNull()
      }
      // Another account gets the older answer of the replica.
      const { age, ids } = yield* fromReplica(one, account, anAccountId())
      expect(ids).toStrictEqual([])
      expect(age).toBeGreaterThan(0)
      yield* resume
      const again = yield* fromReplica(one, account, account)
      expect(again.ids).toStrictEqual([written])
      expect(again.age).toBeGreaterThan(0)
    }).pipe(Effect.scoped),
  )

  it.live("hides from a new account nothing of what opened it", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* using(), yield* using()]
      const n = (accounts += 1)
      const account = anAccount({ n })
      const api_key = anApiKey({ n, account_id: account.id, hash: hash(n) })
      yield* pause
      yield* Effect.provideService(
        Context.get(one, Store).commit({
          writes: [
            { op: "insert", kind: "account", record: account },
            { op: "insert", kind: "api_key", record: api_key },
          ],
        }),
        CurrentAsker,
        { name: "an operator" },
      )
      for (const process of [one, other]) {
        const keys = yield* Effect.provideService(
          Context.get(process, Store).list("api_key", { by: { account_id: account.id } }),
          CurrentAsker,
          { name: account.id, accepts: () => {} },
        )
        expect(keys.map((key) => key.id)).toStrictEqual([api_key.id])
      }
    }).pipe(Effect.scoped),
  )

  it.live("is trusted as before after a caller who had little time left", () =>
    Effect.gen(function* () {
      const process = yield* using()
      const account = anAccountId()
      const hurried = listed(process, account, null)
      yield* Effect.addFinalizer(() => signalAll("SIGCONT"))
      const stateAfter = Effect.gen(function* () {
        yield* signalAll("SIGCONT")
        yield* until(process, "used")
        yield* signalAll("SIGSTOP")
        const found = yield* Effect.provideService(hurried, CurrentDeadline, { left: () => 60 })
        expect(found.age).toBeNull()
        return stateOf(process)
      })
      // On a busy machine, a look may have found the replica away.
      const state = yield* Effect.repeat(stateAfter, { until: (now) => now === "used", times: 9 })
      expect(state).toBe("used")
    }).pipe(Effect.scoped),
  )

  it.live("shows every writer its write at any moment after it", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* using(), yield* using()]
      yield* delay("150ms")
      yield* Effect.addFinalizer(() => delay("0"))
      const answered = { apart: 0, primary: 0 }
      // Runs until both have answered often, so that the critical times are covered.
      const both = () => answered.apart > 20 && answered.primary > 20
      const writers = Effect.forEach(
        Array.from({ length: 400 }, (_, n) => n * 2),
        Effect.fnUntraced(function* (n) {
          const account = anAccountId()
          const written = yield* write(one, account, account)
          yield* Effect.sleep(n)
          const reader = n % 4 === 0 ? other : one
          const { age, ids } = yield* listed(reader, account, account)
          expect(ids).toStrictEqual([written])
          answered[age === null ? "primary" : "apart"] += 1
        }),
        { concurrency: 40 },
      )
      yield* Effect.repeat(writers, { until: both })
    }).pipe(Effect.scoped),
  )

  it.live("is told of in one line as long as nothing changes, and answers all the time", () =>
    Effect.gen(function* () {
      logs.length = 0
      const process = yield* using()
      const ofReplicas = () => logs.filter((line) => line.includes("replica"))
      // Waits until the replica has caught up with changes of earlier tests, and is used.
      const told = ofReplicas()
      expect(told.at(-1)).toMatch(/^The replica \S+ is used for lists, searches and reports\.$/)
      const account = anAccountId()
      // Longer than the primary's mark of itself stays the same.
      const longer = Effect.gen(function* () {
        const before = ofReplicas()
        let oldest = 0
        for (let n = 0; n < 60; n += 1) {
          yield* Effect.sleep("100 millis")
          const { age } = yield* listed(process, account, null)
          oldest = Math.max(oldest, age ?? Infinity)
        }
        return { oldest, more: ofReplicas().slice(before.length) }
      })
      // A busy machine may be too late for a look once, but not each time.
      const seen = yield* Effect.repeat(longer, {
        until: ({ more, oldest }) => more.length === 0 && oldest < 1_500,
        times: 3,
      })
      expect(seen.more).toStrictEqual([])
      expect(seen.oldest).toBeLessThan(1_500)
    }).pipe(Effect.scoped),
  )

  it.live("is not used while it lags too far, and again once it does not", () =>
    Effect.gen(function* () {
      const process = yield* using(1)
      const account = anAccountId()
      yield* pause
      const written = yield* write(process, account, null)
      yield* until(process, "lagging")
      yield* Effect.sleep("500 millis")
      expect(yield* listed(process, account, null)).toStrictEqual({ ids: [written], age: null })
      yield* untilTold(/^The replica \S+ is not used: its lag is larger than allowed\.$/)
      yield* resume
      yield* until(process, "used")
      expect((yield* fromReplica(process, account, null)).age).toBeGreaterThan(0)
    }).pipe(Effect.scoped),
  )

  it.live("that is killed fails nobody, and answers again after its start", () =>
    Effect.gen(function* () {
      const process = yield* using()
      const account = anAccountId()
      const written = yield* write(process, account, null)
      yield* untilShown(process, account, 1)
      let asked = 0
      const over = new AbortController()
      const asking = yield* Effect.forkScoped(
        Effect.gen(function* () {
          while (!over.signal.aborted) {
            const began = performance.now()
            expect((yield* listed(process, account, null)).ids).toStrictEqual([written])
            expect(performance.now() - began).toBeLessThan(NOT_HUNG)
            asked += 1
          }
        }),
      )
      yield* Effect.promise(() => standby.kill("all"))
      yield* until(process, "away")
      yield* untilTold(/ is not used: it does not answer, or refuses connections\.$/)
      expect((yield* listed(process, account, null)).age).toBeNull()
      yield* Effect.promise(() => standby.start())
      yield* until(process, "used")
      yield* Effect.repeat(Effect.sleep("20 millis"), {
        until: () => asked > 100 || asking.pollUnsafe() !== undefined,
      })
      over.abort()
      yield* Fiber.join(asking)
      expect((yield* fromReplica(process, account, null)).age).toBeGreaterThan(0)
    }).pipe(Effect.scoped),
  )

  it.live("that hangs without a word keeps nobody waiting for long", () =>
    Effect.gen(function* () {
      const process = yield* using()
      const account = anAccountId()
      const written = yield* write(process, account, null)
      yield* untilShown(process, account, 1)
      yield* signalAll("SIGSTOP")
      yield* Effect.addFinalizer(() => signalAll("SIGCONT"))
      const began = performance.now()
      const found = yield* listed(process, account, null)
      expect(found).toStrictEqual({ ids: [written], age: null })
      expect(performance.now() - began).toBeLessThan(NOT_HUNG)
      yield* until(process, "away")
      // Requests no longer wait for the replica: on a busy machine, at least one in several
      // attempts shows that.
      const took: Array<number> = []
      for (let n = 0; n < 5; n += 1) {
        const then = performance.now()
        yield* listed(process, account, null)
        took.push(performance.now() - then)
      }
      expect(Math.min(...took)).toBeLessThan(500)
      yield* signalAll("SIGCONT")
      yield* until(process, "used")
    }).pipe(Effect.scoped),
  )

  it.live("that is away at the start is waited for", () =>
    Effect.gen(function* () {
      yield* Effect.promise(() => standby.stop())
      const process = yield* start({ ...primary.connection, host: "127.0.0.1", port: 1 })
      expect(stateOf(process)).toBe("away")
      yield* Effect.promise(() => standby.start())
    }).pipe(Effect.scoped),
  )

  it.live("of another database ends the start with one line", () =>
    Effect.gen(function* () {
      yield* Effect.promise(() => primary.manage("CREATE DATABASE other"))
      const refusal = yield* Effect.flip(start({ ...primary.connection, database: "other" }))
      expect(refusal).toBeInstanceOf(DatabaseUnusable)
      expect(refusal.message).toMatch(
        /^The replica at \S+\/other has another database than PAYPORT_DATABASE_URL\. [^\n]+$/,
      )
    }).pipe(Effect.scoped),
  )

  it.live("is one server", () =>
    Effect.gen(function* () {
      const other = { host: "two.example", port: 5432 }
      const refusal = yield* Effect.flip(start({ ...standby.connection, otherServers: [other] }))
      expect(refusal.message).toMatch(/ names several servers, [^\n]+ its own URL/)
    }).pipe(Effect.scoped),
  )

  /** Until the process has sessions with the server that has taken over. */
  const patiently = { times: 400, schedule: Schedule.spaced("100 millis") }

  const serves = () =>
    Effect.gen(function* () {
      const { host, port } = standby.connection
      const both = { ...primary.connection, otherServers: [{ host, port }] }
      const process = yield* start(standby.connection, 10, { ...both, targetSession: "read-write" })
      yield* until(process, "used")
      const account = anAccountId()
      const before = yield* write(process, account, account)
      yield* untilShown(process, account, 1)
      yield* Effect.promise(() => primary.kill("all"))
      yield* Effect.promise(() => promote(standby))
      yield* until(process, "promoted")
      const after = yield* Effect.retry(write(process, account, account), patiently)
      const found = yield* Effect.retry(listed(process, account, null), patiently)
      expect(found).toStrictEqual({ ids: [before, after], age: null })
    }).pipe(Effect.scoped)

  it.live("that is promoted is not used, and serves as the primary that it is", serves, 180_000)
})
