import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import { Store } from "../../../../core/ports/Store.ts"
import type { ServiceManifest } from "../../../../core/registry/ServiceManifest.ts"
import { dispatchEvent } from "../../../../core/webhooks/deliveries/dispatchEvent.ts"
import { aService, id, T0, uuid } from "../../../support/records.ts"
import { claim, killedAtCommit, LEASE, world } from "../deliveryWorld.ts"

const storedEvent = Effect.flatMap(Store, (store) => store.find("event", id("evt", 1)))

const changeService = (change: Partial<ServiceManifest>) =>
  Effect.flatMap(Store, (store) =>
    store.commit({
      writes: [{ op: "replace", kind: "service", record: aService(change) }],
    }),
  )

describe("dispatching an event", () => {
  it.effect("makes a delivery to where the service's endpoint is now", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0 + 7)
      yield* changeService({ endpoint: "https://moved.example/hooks" })
      for (const event of yield* claim("event")) yield* dispatchEvent(event)
      const [delivery] = yield* claim("delivery")
      expect(delivery).toEqual({
        id: expect.stringMatching(/^wd_/),
        version: 2,
        account_id: id("acct", 1),
        event_id: id("evt", 1),
        event_type: "payment_intent.succeeded",
        endpoint_id: null,
        service_id: uuid(1),
        url: "https://moved.example/hooks",
        key_id: null,
        status: "delivering",
        attempts: [],
        error: null,
        replay_of: null,
        first_retry: 0,
        created_at: T0 + 7,
        due_at: T0 + 7,
      })
      expect((yield* storedEvent)?.due_at).toBeNull()
    }).pipe(Effect.provide(world)),
  )

  it.effect("makes no second one, whoever dispatches it again", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const [early] = yield* claim("event")
      yield* TestClock.adjust(LEASE + 1)
      const [late] = yield* claim("event")
      const holders = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? early! : late!))
      yield* Effect.forEach(holders, (event) => dispatchEvent(event), { concurrency: "unbounded" })
      yield* dispatchEvent(early!)
      expect(yield* claim("delivery")).toHaveLength(1)
      expect(yield* claim("event")).toEqual([])
    }).pipe(Effect.provide(world)),
  )

  it.effect("is done once after a crash on the way", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const [event] = yield* claim("event")
      const crash = yield* Effect.exit(killedAtCommit(dispatchEvent(event!)))
      expect(Exit.hasDies(crash)).toBe(true)
      expect(yield* claim("delivery")).toEqual([])
      yield* TestClock.adjust(LEASE)
      for (const again of yield* claim("event")) yield* dispatchEvent(again)
      expect(yield* claim("delivery")).toHaveLength(1)
    }).pipe(Effect.provide(world)),
  )

  it.effect("tells nobody of a service that is deleted", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      yield* changeService({ status: "deleted", deleted_at: T0 })
      for (const event of yield* claim("event")) yield* dispatchEvent(event)
      expect(yield* claim("delivery")).toEqual([])
      expect((yield* storedEvent)?.due_at).toBeNull()
    }).pipe(Effect.provide(world)),
  )

  it.effect("tells nobody of a service that is gone", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const store = yield* Store
      yield* store.commit({
        writes: [{ op: "remove", kind: "service", record: aService() }],
      })
      for (const event of yield* claim("event")) yield* dispatchEvent(event)
      expect(yield* claim("delivery")).toEqual([])
      expect((yield* storedEvent)?.due_at).toBeNull()
    }).pipe(Effect.provide(world)),
  )
})
