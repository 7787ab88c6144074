import { it } from "@effect/vitest"
import { Context, Effect, Layer, Schedule } from "effect"
import { beforeEach, describe, expect } from "vitest"
import { cachedReads } from "../../../adapters/postgres/reads/cachedReads.ts"
import * as PostgresStore from "../../../adapters/postgres/PostgresStore.ts"
import { CONSUMERS } from "../../../core/webhooks/consumers/ConsumerList.ts"
import { type Kind, type Records, Store } from "../../../core/ports/Store.ts"
import {
  anAccount,
  anAgent,
  anInstall,
  anApiKey,
  anEndpoint,
  aService,
  hash,
  id,
  uuid,
} from "../../support/records.ts"
import { session, testDatabase } from "../../support/postgres.ts"
import { stillClock } from "../../support/stillClock.ts"

let pass: (milliseconds: number) => void
beforeEach(() => {
  pass = stillClock()
})

/** Reads of values that a test changes, with counts of the calls. */
const counting = () => {
  const asked: Array<string> = []
  const stored = { service: aService(), account: anAccount() }
  const answers: { readonly [K in Kind]?: (given: string) => Records[K] | undefined } = {
    account: (given) => (given === stored.account.id ? stored.account : undefined),
    agent: (given) => (given === id("agt", 1) ? anAgent() : undefined),
    install: (given) => (given === id("ins", 1) ? anInstall() : undefined),
    service: (given) => ({ ...stored.service, id: given }),
    endpoint: (given) => anEndpoint({ id: given }),
  }
  const reads = cachedReads({
    findCredential: (given) =>
      Effect.sync(() => {
        asked.push(given)
        return { api_key: anApiKey(), account: stored.account }
      }),
    find: <K extends Kind>(kind: K, given: string) =>
      Effect.gen(function* () {
        asked.push(given)
        if (kind === "service") yield* Effect.yieldNow
        return answers[kind]?.(given)
      }),
  })
  return { asked, reads, stored }
}

describe("cached reads", () => {
  it.live("keep an endpoint until it changes", () =>
    Effect.gen(function* () {
      const { asked, reads } = counting()
      reads.hear(true)
      yield* reads.find("endpoint", id("we", 1))
      yield* reads.find("endpoint", id("we", 1))
      reads.forget([id("we", 2)])
      yield* reads.find("endpoint", id("we", 1))
      expect(asked).toHaveLength(1)
      reads.forget([id("we", 1)])
      yield* reads.find("endpoint", id("we", 1))
      expect(asked).toHaveLength(2)
    }),
  )

  it.live(
    "give the old answer to others while one asks anew, and no longer than for a moment",
    () =>
      Effect.gen(function* () {
        const { asked, reads, stored } = counting()
        reads.hear(true)
        const first = yield* reads.find("service", uuid(1))
        stored.service = { ...stored.service, name: "Renamed elsewhere" }
        pass(1_020)
        const [anew, ...others] = yield* Effect.all(
          Array.from({ length: 5 }, () => reads.find("service", uuid(1))),
          { concurrency: "unbounded" },
        )
        expect(asked).toHaveLength(2)
        expect(anew?.name).toBe("Renamed elsewhere")
        for (const other of others) expect([first?.name, anew?.name]).toContain(other?.name)
        expect((yield* reads.find("service", uuid(1)))?.name).toBe("Renamed elsewhere")
      }),
  )

  it.live("ask once while changes are heard, and always while they are not", () =>
    Effect.gen(function* () {
      const { asked, reads } = counting()
      yield* reads.find("service", uuid(1))
      yield* reads.find("service", uuid(1))
      expect(asked).toHaveLength(2)
      reads.hear(true)
      yield* reads.find("service", uuid(1))
      yield* reads.find("service", uuid(1))
      expect(asked).toHaveLength(3)
      reads.hear(false)
      yield* reads.find("service", uuid(1))
      yield* reads.find("service", uuid(1))
      expect(asked).toHaveLength(5)
    }),
  )

  it.live("keep that an agent has no record, until it gets one", () =>
    Effect.gen(function* () {
      const { asked, reads } = counting()
      reads.hear(true)
      for (const given of [id("agt", 1), id("agt", 2), id("agt", 2)])
        yield* reads.find("agent", given)
      expect(asked).toStrictEqual([id("agt", 1), id("agt", 2)])
      reads.forget([id("agt", 2)])
      yield* reads.find("agent", id("agt", 2))
      expect(asked).toHaveLength(3)
    }),
  )

  it.live("keep no absence of the list of consumers, which no guard would notice", () =>
    Effect.gen(function* () {
      const { asked, reads } = counting()
      reads.hear(true)
      yield* reads.find("consumer_list", CONSUMERS)
      yield* reads.find("consumer_list", CONSUMERS)
      expect(asked).toStrictEqual([CONSUMERS, CONSUMERS])
    }),
  )

  it.live("forget a credential with its key and with its account", () =>
    Effect.gen(function* () {
      const { asked, reads } = counting()
      reads.hear(true)
      for (const changed of [id("key", 1), id("acct", 1), id("acct", 2)]) {
        yield* reads.findCredential(hash(1))
        reads.forget([changed])
      }
      yield* reads.findCredential(hash(1))
      expect(asked).toHaveLength(3)
    }),
  )

  it.live("keep no answer that was on its way while it changed", () =>
    Effect.gen(function* () {
      const { asked, reads } = counting()
      reads.hear(true)
      const slow = cachedReads({
        ...reads,
        find: (kind, given) => Effect.delay(reads.find(kind, given), "50 millis"),
      })
      slow.hear(true)
      const forget = Effect.delay(
        Effect.sync(() => slow.forget([uuid(1)])),
        "10 millis",
      )
      yield* Effect.all([slow.find("service", uuid(1)), forget], { concurrency: 2 })
      reads.forget("everything")
      yield* slow.find("service", uuid(1))
      expect(asked).toHaveLength(2)
    }),
  )

  it.live("do not keep that something is not there", () =>
    Effect.gen(function* () {
      const { asked, reads } = counting()
      reads.hear(true)
      yield* reads.find("account", id("acct", 9))
      yield* reads.find("account", id("acct", 9))
      expect(asked).toHaveLength(2)
    }),
  )

  it.live("keep a bounded number, the newest", () =>
    Effect.gen(function* () {
      const { asked, reads } = counting()
      reads.hear(true)
      for (let n = 0; n <= 5_000; n += 1) yield* reads.find("service", uuid(n))
      const before = asked.length
      yield* reads.find("service", uuid(5_000))
      expect(asked).toHaveLength(before)
      yield* reads.find("service", uuid(0))
      expect(asked).toHaveLength(before + 1)
    }),
  )

  it.live("are asked again after a second, heard or not", () =>
    Effect.gen(function* () {
      const { asked, reads } = counting()
      reads.hear(true)
      yield* reads.find("service", uuid(1))
      pass(999)
      yield* reads.find("service", uuid(1))
      expect(asked).toHaveLength(1)
      pass(1)
      yield* reads.find("service", uuid(1))
      expect(asked).toHaveLength(2)
    }),
  )

  it.live("hand out what nobody can change", () =>
    Effect.gen(function* () {
      const { reads } = counting()
      reads.hear(true)
      yield* reads.find("service", uuid(1))
      const kept = yield* reads.find("service", uuid(1))
      expect(Object.isFrozen(kept) && Object.isFrozen(kept?.pricing)).toBe(true)
    }),
  )
})

const twoStores = Effect.gen(function* () {
  const database = yield* testDatabase
  const contexts = yield* Effect.all([
    Layer.build(PostgresStore.layer(database)),
    Layer.build(PostgresStore.layer(database)),
  ])
  const [one, other] = contexts.map((context) => Context.get(context, Store))
  if (one === undefined || other === undefined) return yield* Effect.die("two stores were made")
  return { database, one, other }
})

/** Retries without a limit: the stopped clock does not age any cached answer. */
const patiently = { schedule: Schedule.spaced("10 millis") }

describe("changes of a process", () => {
  it.live("show at once in itself, and in another as soon as they are heard", () =>
    Effect.gen(function* () {
      const { one, other } = yield* twoStores
      yield* one.commit({
        writes: [
          { op: "insert", kind: "account", record: anAccount() },
          { op: "insert", kind: "api_key", record: anApiKey() },
          { op: "insert", kind: "service", record: aService() },
          { op: "insert", kind: "endpoint", record: anEndpoint() },
        ],
      })
      yield* Effect.sleep("100 millis")
      for (const store of [one, other]) {
        expect((yield* store.find("endpoint", id("we", 1)))?.secret).toBe("sealed:BBBB")
        expect((yield* store.findCredential(hash(1)))?.api_key.revoked_at).toBeNull()
        expect((yield* store.find("service", uuid(1)))?.status).toBe("active")
      }
      yield* one.commit({
        writes: [
          { op: "replace", kind: "api_key", record: anApiKey({ revoked_at: 1 }) },
          { op: "replace", kind: "service", record: aService({ status: "paused" }) },
          { op: "replace", kind: "endpoint", record: anEndpoint({ secret: "sealed:new" }) },
        ],
      })
      expect((yield* one.findCredential(hash(1)))?.api_key.revoked_at).toBe(1)
      expect((yield* one.find("service", uuid(1)))?.status).toBe("paused")
      expect((yield* one.find("endpoint", id("we", 1)))?.secret).toBe("sealed:new")
      const heard = yield* Effect.repeat(other.findCredential(hash(1)), {
        ...patiently,
        until: (credential) => credential?.api_key.revoked_at === 1,
      })
      expect(heard?.api_key.revoked_at).toBe(1)
      expect((yield* other.find("service", uuid(1)))?.status).toBe("paused")
      expect((yield* other.find("endpoint", id("we", 1)))?.secret).toBe("sealed:new")
    }),
  )

  it.live("show at once in another whose listening connection is broken", () =>
    Effect.gen(function* () {
      const { database, one, other } = yield* twoStores
      yield* one.commit({ writes: [{ op: "insert", kind: "service", record: aService() }] })
      yield* Effect.sleep("100 millis")
      yield* other.find("service", uuid(1))
      const admin = yield* session(database)
      const { rows } = yield* admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE 'LISTEN %'`)
      expect(rows).toHaveLength(2)
      yield* one.commit({
        writes: [{ op: "replace", kind: "service", record: aService({ status: "paused" }) }],
      })
      const noticed = yield* Effect.repeat(other.find("service", uuid(1)), {
        ...patiently,
        until: (service) => service?.status === "paused",
      })
      expect(noticed?.status).toBe("paused")
    }),
  )
})
