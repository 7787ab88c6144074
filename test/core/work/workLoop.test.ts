import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Store, StoreUnavailable } from "../../../core/ports/Store.ts"
import { DAY, HOUR, MINUTE } from "../../../core/shared/Timestamp.ts"
import { workLoop } from "../../../core/work/workLoop.ts"
import { aDelivery, anEvent, anIntent, aReply, id, uuid, T0 } from "../../support/records.ts"
import { DELIVERED, insert, receiverOf, stored, withService, workWorld } from "./workWorld.ts"

const intent = (n: number) =>
  Effect.flatMap(Store, (store) => store.find("payment_intent", id("pi", n)))
const delivery = (n: number) =>
  Effect.flatMap(Store, (store) => store.find("delivery", id("wd", n)))

const aPending = (n: number, service: number) => [
  insert("event", anEvent({ n, due_at: null })),
  insert("delivery", aDelivery({ n, account_id: id("acct", service), service_id: uuid(service) })),
]

/** The same store, which cannot be reached while `down` says so. */
const breaking = (state: { down: boolean; failed: number }) =>
  Layer.effect(
    Store,
    Effect.map(Store, (store) => {
      const failing = <A>(read: Effect.Effect<A, StoreUnavailable>) =>
        Effect.suspend(() => {
          if (!state.down) return read
          state.failed += 1
          return Effect.fail(new StoreUnavailable({ outcome: "not_stored", cause: "down" }))
        })
      return {
        ...store,
        dueKinds: (now) => failing(store.dueKinds(now)),
        nextDueAt: () => failing(store.nextDueAt()),
        claimDue: (kind, now, options) => failing(store.claimDue(kind, now, options)),
        purgeReplies: (now, limit) => failing(store.purgeReplies(now, limit)),
      }
    }),
  )

describe("workLoop", () => {
  it.effect("does what falls due while it runs, at most a second late", () =>
    Effect.gen(function* () {
      yield* stored(withService(1), [insert("payment_intent", anIntent())])
      const loop = yield* Effect.forkChild(workLoop())
      yield* TestClock.adjust(15 * MINUTE - 1)
      expect((yield* intent(1))?.status).toBe("qr_generated")
      yield* TestClock.adjust("1 second")
      expect((yield* intent(1))?.status).toBe("expired")
      expect(yield* (yield* Store).nextDueAt()).toBe(T0 + 15 * MINUTE + 30 * DAY)
      yield* Fiber.interrupt(loop)
    }).pipe(Effect.provide(workWorld())),
  )

  it.effect("goes on with the others while a receiver keeps it waiting", () => {
    const answer = (request: Parameters<typeof receiverOf>[0]) =>
      Effect.as(receiverOf(request) === 1 ? Effect.sleep("5 seconds") : Effect.void, DELIVERED)
    return Effect.gen(function* () {
      yield* stored(withService(1), withService(2), aPending(1, 1))
      const loop = yield* Effect.forkChild(workLoop())
      yield* TestClock.adjust("1 second")
      yield* (yield* Store).commit({ writes: aPending(2, 2) })
      yield* TestClock.adjust("1 second")
      expect((yield* delivery(1))?.status).toBe("delivering")
      expect((yield* delivery(2))?.status).toBe("delivered")
      yield* TestClock.adjust("4 seconds")
      expect((yield* delivery(1))?.status).toBe("delivered")
      yield* Fiber.interrupt(loop)
    }).pipe(Effect.provide(workWorld({ answer })))
  })

  it.effect("outlives a store that is out of reach for an hour", () => {
    const state = { down: true, failed: 0 }
    return Effect.gen(function* () {
      yield* stored(withService(1), [insert("payment_intent", anIntent())])
      const loop = yield* Effect.forkChild(workLoop())
      yield* TestClock.adjust("1 hour")
      expect(state.failed).toBeGreaterThan(100)
      expect(state.failed).toBeLessThan(1_000)
      state.down = false
      yield* TestClock.adjust("6 seconds")
      expect((yield* intent(1))?.status).toBe("expired")
      yield* Fiber.interrupt(loop)
    }).pipe(Effect.provide(breaking(state)), Effect.provide(workWorld()))
  })

  const late = new StoreUnavailable({ outcome: "not_stored", cause: "statement timeout" })

  it.effect.each<[string, Effect.Effect<number, StoreUnavailable>]>([
    ["cannot be removed", Effect.fail(late)],
    ["take long", Effect.never],
  ])("works while old counters %s", ([, purge]) => {
    let asked = 0
    const purgeDayCounters = () => Effect.suspend(() => ((asked += 1), purge))
    const purging = Layer.effect(
      Store,
      Effect.map(Store, (store) => ({ ...store, purgeDayCounters })),
    )
    return Effect.gen(function* () {
      yield* stored(withService(1), [insert("payment_intent", anIntent())])
      const loop = yield* Effect.forkChild(workLoop())
      yield* TestClock.adjust(16 * MINUTE)
      expect(asked).toBeGreaterThan(0)
      expect((yield* intent(1))?.status).toBe("expired")
      yield* Fiber.interrupt(loop)
    }).pipe(Effect.provide(purging), Effect.provide(workWorld()))
  })

  it.effect("forgets stored answers once their time is over", () =>
    Effect.gen(function* () {
      yield* stored([])
      const store = yield* Store
      yield* store.commit({ writes: [], reply: aReply() })
      const loop = yield* Effect.forkChild(workLoop())
      yield* TestClock.adjust(DAY - 1)
      expect(yield* store.findReply(id("acct", 1), "retry-1")).toBeDefined()
      yield* TestClock.adjust(HOUR)
      expect(yield* store.findReply(id("acct", 1), "retry-1")).toBeUndefined()
      yield* Fiber.interrupt(loop)
    }).pipe(Effect.provide(workWorld())),
  )

  it.effect("ends after the work in flight, and begins nothing more", () => {
    const open = Deferred.makeUnsafe<void>()
    let asked = 0
    const answer = () =>
      Effect.suspend(() => ((asked += 1), Effect.as(Deferred.await(open), DELIVERED)))
    return Effect.gen(function* () {
      yield* stored(withService(1), aPending(1, 1))
      const loop = yield* Effect.forkChild(workLoop())
      yield* TestClock.adjust("1 second")
      const ended = yield* Effect.forkChild(Fiber.interrupt(loop))
      yield* TestClock.adjust("1 second")
      yield* (yield* Store).commit({ writes: aPending(2, 1) })
      yield* TestClock.adjust("2 seconds")
      expect(ended.pollUnsafe()).toBeUndefined()
      yield* Deferred.succeed(open, undefined)
      yield* Fiber.join(ended)
      expect((yield* delivery(1))?.status).toBe("delivered")
      expect((yield* delivery(2))?.status).toBe("pending")
      expect(asked).toBe(1)
    }).pipe(Effect.provide(workWorld({ answer })))
  })

  it.effect("ends after eight seconds, whatever hangs", () =>
    Effect.gen(function* () {
      yield* stored(withService(1), aPending(1, 1))
      const loop = yield* Effect.forkChild(workLoop())
      yield* TestClock.adjust("1 second")
      const ended = yield* Effect.forkChild(Fiber.interrupt(loop))
      yield* TestClock.adjust("7900 millis")
      expect(ended.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust("100 millis")
      yield* Fiber.join(ended)
      expect((yield* delivery(1))?.status).toBe("delivering")
    }).pipe(Effect.provide(workWorld({ answer: () => Effect.never }))),
  )
})
