import { describe, expect, it } from "@effect/vitest"
import { Clock, Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { makeVault } from "../../../adapters/crypto/Vault.ts"
import * as PostgresStore from "../../../adapters/postgres/PostgresStore.ts"
import { Store } from "../../../core/ports/Store.ts"
import { WallClock } from "../../../core/ports/WallClock.ts"
import { type WebhookRequest, WebhookSender } from "../../../core/ports/WebhookSender.ts"
import { HOUR, SECOND } from "../../../core/shared/Timestamp.ts"
import { endpointSecretPlace } from "../../../core/webhooks/endpoints/Endpoint.ts"
import { type JobServices, LEASE, type Lane, makeLanes } from "../../../core/work/lanes.ts"
import { runDue } from "../../../core/work/runDue.ts"
import { clockAhead } from "../../../simulator/world/processes/ProcessClock.ts"
import { aDelivery, anAccount, anEndpoint, anEvent, id, T0, uuid } from "../../support/records.ts"
import { testDatabase } from "../../support/postgres.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { world } from "../../support/world.ts"
import { DELIVERED, insert, stored, withService, workWorld } from "./workWorld.ts"

const vault = makeVault(new Uint8Array(32).fill(7))
const RECEIVERS = 10
const DELIVERIES = 200

const records = Array.from({ length: DELIVERIES }, (_, i) => {
  const n = i + 1
  const endpoint_id = id("we", 1 + (i % RECEIVERS))
  return {
    event: anEvent({ n, due_at: null }),
    delivery: aDelivery({ n, endpoint_id, service_id: null }),
  }
})

const endpoints = Array.from({ length: RECEIVERS }, (_, i) => {
  const secret = vault.seal(endpointSecretPlace(id("we", i + 1)), "whsec_x")
  return anEndpoint({ n: i + 1, secret })
})

it.effect("two workers on one database attempt each delivery once, whoever is killed", () => {
  const attempts = new Map<string, number>()
  const send = ({ headers }: WebhookRequest) =>
    Effect.sync(() => {
      const key = headers["Idempotency-Key"] ?? ""
      attempts.set(key, (attempts.get(key) ?? 0) + 1)
      return { status: 200, duration_ms: 1 }
    })
  const ports = Layer.mergeAll(
    Layer.succeed(WebhookSender, { send }),
    Layer.succeed(WallClock, { now: Effect.succeed(T0) }),
    world(makeScript()),
  )
  return Effect.gen(function* () {
    yield* TestClock.setTime(T0)
    const database = yield* testDatabase
    const open = Effect.map(Layer.build(PostgresStore.layer(database)), (context) =>
      Context.get(context, Store),
    )
    const [one, other] = [yield* open, yield* open]
    yield* one.commit({
      writes: [
        { op: "insert", kind: "account", record: anAccount() },
        ...endpoints.map((record) => ({ op: "insert", kind: "endpoint", record }) as const),
        ...records.map(({ delivery }) => {
          return { op: "insert", kind: "delivery", record: delivery } as const
        }),
      ],
      events: records.map(({ event }) => event),
    })
    // A worker that is killed in mid-attempt: what it holds is never heard of again.
    const lost = yield* one.claimDue("delivery", T0, { limit: 20, lease: 30 * SECOND })
    expect(lost).toHaveLength(20)
    const work = (store: Store["Service"]) => Effect.provideService(runDue(), Store, store)
    const both = Effect.all([work(one), work(other)], { concurrency: 2 })
    const ran = yield* both
    expect(ran.reduce((sum, n) => sum + n)).toBe(DELIVERIES - lost.length)
    expect(attempts.size).toBe(DELIVERIES - lost.length)
    yield* TestClock.adjust(30 * SECOND)
    yield* both
    expect([...attempts.values()].every((n) => n === 1)).toBe(true)
    expect(attempts.size).toBe(DELIVERIES)
    for (const { delivery } of records) {
      expect(yield* other.find("delivery", delivery.id)).toMatchObject({
        status: "delivered",
        attempts: [{ attempt: 1, status: 200 }],
      })
    }
  }).pipe(Effect.scoped, Effect.provide(ports))
})

const about = { n: 1, account_id: id("acct", 1), service_id: uuid(1) }
const delivery = [
  insert("event", anEvent({ ...about, due_at: null })),
  insert("delivery", aDelivery(about)),
]

/** Runs a claimed delivery after it has waited so long, under a clock that is set meanwhile. */
const begunAfter = (waited: number, set: number) => {
  let sent = 0
  let ahead = 0
  const answer = () =>
    Effect.sync(() => {
      sent += 1
      return DELIVERED
    })
  return Effect.gen(function* () {
    yield* stored(withService(1), delivery)
    const lanes: ReadonlyArray<Lane<JobServices>> = makeLanes()
    const lane = lanes.find(({ kind }) => kind === "delivery")
    const clock = clockAhead(yield* Clock.Clock, () => ahead)
    const own = <A, E, R>(self: Effect.Effect<A, E, R>) =>
      self.pipe(
        Effect.provideService(WallClock, { now: clock.currentTimeMillis }),
        Effect.provideService(Clock.Clock, clock),
      )
    const [job] = lane === undefined ? [] : yield* own(lane.claim(T0, 1))
    if (job === undefined) return yield* Effect.die("nothing was claimed")
    yield* TestClock.adjust(waited)
    ahead = set
    return { done: yield* own(job), sent }
  }).pipe(Effect.provide(workWorld({ answer })))
}

describe("a claimed record that waits for its turn", () => {
  it.effect.each([
    ["is begun while enough of its lease is left", 20 * SECOND, 0, true],
    ["is left to others when little is left", 20 * SECOND + 1, 0, false],
    ["is left to others also if the clock was set back meanwhile", LEASE, -HOUR, false],
    ["is begun also if the clock was set forward meanwhile", SECOND, HOUR, true],
  ] as const)("%s", ([_, waited, set, done]) =>
    Effect.gen(function* () {
      expect(yield* begunAfter(waited, set)).toEqual({ done, sent: done ? 1 : 0 })
    }),
  )
})
