import { expect, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { makeVault } from "../../../adapters/crypto/Vault.ts"
import * as PostgresStore from "../../../adapters/postgres/PostgresStore.ts"
import { Store } from "../../../core/ports/Store.ts"
import { WallClock } from "../../../core/ports/WallClock.ts"
import { type WebhookRequest, WebhookSender } from "../../../core/ports/WebhookSender.ts"
import { SECOND } from "../../../core/shared/Timestamp.ts"
import { endpointSecretPlace } from "../../../core/webhooks/endpoints/Endpoint.ts"
import { runDue } from "../../../core/work/runDue.ts"
import { aDelivery, anAccount, anEndpoint, anEvent, id, T0 } from "../../support/records.ts"
import { testDatabase } from "../../support/postgres.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { world } from "../../support/world.ts"

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
