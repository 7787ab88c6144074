import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { describe } from "vitest"
import * as MemoryStore from "../../../adapters/memory/MemoryStore.ts"
import { Store } from "../../../core/ports/Store.ts"
import { MOST_OF_EVENT, replayDelivery } from "../../../core/webhooks/deliveries/deliverAgain.ts"
import type { Delivery } from "../../../core/webhooks/deliveries/Delivery.ts"
import { makeTestStore } from "../../support/postgres.ts"
import { aDelivery, anAccount, anEndpoint, anEvent, id, T0 } from "../../support/records.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { as, world } from "../../support/world.ts"

const AT_ONCE = 6

/** Ten attempts, the most to a registered endpoint. */
const MOST = 10

const told = { account_id: id("acct", 1), endpoint_id: id("we", 1), service_id: null }

describe.each([
  ["the memory store", () => MemoryStore.layer],
  ["PostgreSQL", () => makeTestStore()],
])("replays at the same time, on %s", (_name, layer) => {
  it.live("leave an attempt that is being made to its worker", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const delivery = aDelivery({ ...told, due_at: T0 })
      yield* store.commit({
        writes: [
          { op: "insert", kind: "account", record: anAccount() },
          { op: "insert", kind: "endpoint", record: anEndpoint({ created_at: T0 }) },
          { op: "insert", kind: "event", record: anEvent({ service_id: null, due_at: null }) },
          { op: "insert", kind: "delivery", record: delivery },
        ],
      })
      const claim = Effect.map(
        store.claimDue("delivery", T0, { limit: 10, lease: 60_000 }),
        (claimed) => claimed.map((one) => one.id),
      )
      expect(yield* claim).toEqual([delivery.id])
      yield* replayDelivery(as(anAccount()), delivery.id)
      expect(yield* claim).not.toContain(delivery.id)
    }).pipe(Effect.provide(layer()), Effect.provide(world(makeScript()))),
  )

  it.live.each<[string, Delivery, number]>([
    ["an open delivery", aDelivery({ ...told, due_at: Date.now() + 1_000_000 }), MOST],
    ["one that is over", aDelivery({ ...told, status: "delivered", due_at: null }), 0],
  ])("of %s take different numbers", ([, delivery, first]) =>
    Effect.gen(function* () {
      const store = yield* Store
      yield* store.commit({
        writes: [
          { op: "insert", kind: "account", record: anAccount() },
          { op: "insert", kind: "endpoint", record: anEndpoint({ created_at: T0 }) },
          { op: "insert", kind: "event", record: anEvent({ service_id: null, due_at: null }) },
          { op: "insert", kind: "delivery", record: delivery },
        ],
      })
      const replay = replayDelivery(as(anAccount()), delivery.id)
      yield* Effect.all(
        Array.from({ length: AT_ONCE }, () => replay),
        { concurrency: "unbounded" },
      )
      const all = yield* store.list("delivery", { by: { event_id: delivery.event_id } })
      const numbers = all.map(({ first_retry }) => first_retry).toSorted((a, b) => a - b)
      const later = Array.from({ length: AT_ONCE }, (_, n) => first + n * MOST)
      expect(numbers).toStrictEqual([0, ...later])
    }).pipe(Effect.provide(layer()), Effect.provide(world(makeScript()))),
  )

  it.live("are refused once the event has as many deliveries as may be kept", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const event_id = id("evt", 1)
      const over = { ...told, event_id, status: "delivered", due_at: null } as const
      const deliveries = Array.from({ length: MOST_OF_EVENT - 1 }, (_, n) =>
        aDelivery({ ...over, n: n + 1, replay_of: n === 0 ? null : id("wd", 1) }),
      )
      yield* store.commit({
        writes: [
          { op: "insert", kind: "account", record: anAccount() },
          { op: "insert", kind: "endpoint", record: anEndpoint({ created_at: T0 }) },
          { op: "insert", kind: "event", record: anEvent({ service_id: null, due_at: null }) },
          ...deliveries.map((record) => ({ op: "insert", kind: "delivery", record }) as const),
        ],
      })
      const replay = replayDelivery(as(anAccount()), id("wd", 1))
      yield* replay
      expect(yield* Effect.flip(replay)).toMatchObject({
        code: "INVALID_TRANSITION",
        details: { limit: MOST_OF_EVENT },
      })
    }).pipe(Effect.provide(layer()), Effect.provide(world(makeScript()))),
  )
})
