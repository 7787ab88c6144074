import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { DueWork } from "../../../core/ports/DueWork.ts"
import { Store } from "../../../core/ports/Store.ts"
import { DAY, MINUTE, SECOND } from "../../../core/shared/Timestamp.ts"
import { runDue } from "../../../core/work/runDue.ts"
import {
  channelRequestIn,
  aDelivery,
  anEvent,
  anIntent,
  aService,
  id,
  T0,
  uuid,
} from "../../support/records.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { DELIVERED, insert, receiverOf, stored, withService, workWorld } from "./workWorld.ts"

const intent = (n: number) =>
  Effect.flatMap(Store, (store) => store.find("payment_intent", id("pi", n)))
const delivery = (n: number) =>
  Effect.flatMap(Store, (store) => store.find("delivery", id("wd", n)))

/** Deliveries `from` to `to` of an event each, all to the service of that number. */
const deliveries = (from: number, to: number, service: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => {
    const about = { n: from + i, account_id: id("acct", service), service_id: uuid(service) }
    return [
      insert("event", anEvent({ ...about, due_at: null })),
      insert("delivery", aDelivery(about)),
    ]
  }).flat()

describe("runDue", () => {
  it.effect("does nothing before anything is due", () =>
    Effect.gen(function* () {
      yield* stored(withService(1), [insert("payment_intent", anIntent())])
      yield* TestClock.setTime(T0 + 15 * MINUTE - 1)
      expect(yield* runDue()).toBe(0)
      expect((yield* intent(1))?.status).toBe("qr_generated")
    }).pipe(Effect.provide(workWorld())),
  )

  it.effect("does what is due and what follows from it at once: expiry, event, delivery", () =>
    Effect.gen(function* () {
      yield* stored(withService(1), [insert("payment_intent", anIntent())])
      yield* TestClock.setTime(T0 + 15 * MINUTE)
      expect(yield* runDue()).toBe(3)
      expect((yield* intent(1))?.status).toBe("expired")
      expect(yield* runDue()).toBe(0)
      expect(yield* (yield* Store).nextDueAt()).toBe(T0 + 15 * MINUTE + 30 * DAY)
    }).pipe(Effect.provide(workWorld())),
  )

  it.effect("asks after a call whose answer was lost", () => {
    const script = makeScript()
    script.asked = () => Effect.succeed({ type: "done", at: T0, trade_no: "t" })
    return Effect.gen(function* () {
      const request = channelRequestIn("unknown", { attempts: 1 })
      yield* stored([insert("channel_request", request)])
      yield* TestClock.setTime(T0 + 10 * SECOND)
      expect(yield* runDue()).toBe(1)
      const store = yield* Store
      expect((yield* store.find("channel_request", id("creq", 1)))?.status).toBe("done")
    }).pipe(Effect.provide(workWorld({ script })))
  })

  it.effect("forgets a deleted service when its time is over", () =>
    Effect.gen(function* () {
      const deleted = { status: "deleted", deleted_at: T0, due_at: T0 + 30 * DAY } as const
      yield* stored([insert("service", aService(deleted))])
      yield* TestClock.setTime(T0 + 30 * DAY)
      expect(yield* runDue()).toBe(1)
      expect(yield* (yield* Store).find("service", uuid(1))).toBeUndefined()
    }).pipe(Effect.provide(workWorld())),
  )

  it.effect("runs what adapters have due, until they have nothing left", () =>
    Effect.gen(function* () {
      yield* stored([])
      const left = [3, 2, 0]
      const times: Array<number> = []
      const item = {
        name: "settlements",
        nextDueAt: Effect.undefined,
        runDue: (now: number) =>
          Effect.sync(() => {
            times.push(now)
            return left.shift() ?? 0
          }),
      }
      expect(yield* Effect.provideService(runDue(), DueWork, [item])).toBe(5)
      expect(times).toEqual([T0, T0, T0])
    }).pipe(Effect.provide(workWorld())),
  )

  it.effect("leaves a record that fails, and does all the others", () =>
    Effect.gen(function* () {
      const [account, service] = withService(2)
      const broken = { ...account!, record: { ...account!.record, webhook_secret: "v1.broken" } }
      yield* stored(
        withService(1),
        [broken, service!] as ReturnType<typeof withService>,
        deliveries(1, 3, 1),
        deliveries(4, 4, 2),
        deliveries(5, 6, 1),
      )
      expect(yield* runDue()).toBe(5)
      expect((yield* delivery(4))?.status).toBe("delivering")
      for (const n of [1, 2, 3, 5, 6]) expect((yield* delivery(n))?.status).toBe("delivered")
    }).pipe(Effect.provide(workWorld())),
  )

  it.effect("leaves what another worker holds, and takes it over when the lease is over", () =>
    Effect.gen(function* () {
      yield* stored(withService(1), [insert("payment_intent", anIntent())])
      const due = T0 + 15 * MINUTE
      yield* TestClock.setTime(due)
      const store = yield* Store
      const held = yield* store.claimDue("payment_intent", due, { limit: 1, lease: 10 * SECOND })
      expect(held).toHaveLength(1)
      expect(yield* runDue()).toBe(0)
      yield* TestClock.setTime(due + 10 * SECOND)
      expect(yield* runDue()).toBe(3)
    }).pipe(Effect.provide(workWorld())),
  )

  it.effect("has each piece of work done once by workers that run at the same time", () => {
    const sent: Array<number> = []
    const answer = () => Effect.sync(() => (sent.push(1), DELIVERED))
    return Effect.gen(function* () {
      yield* stored(withService(1), deliveries(1, 40, 1))
      const ran = yield* Effect.all([runDue(), runDue(), runDue()], { concurrency: 3 })
      expect(ran.reduce((sum, n) => sum + n)).toBe(40)
      expect(sent).toHaveLength(40)
    }).pipe(Effect.provide(workWorld({ answer })))
  })

  it.effect("lets a slow receiver wait for itself alone", () => {
    const open = Deferred.makeUnsafe<void>()
    let slow = 0
    const answer = (request: Parameters<typeof receiverOf>[0]) =>
      receiverOf(request) === 2
        ? Effect.succeed(DELIVERED)
        : Effect.suspend(() => {
            slow += 1
            return Effect.as(Deferred.await(open), DELIVERED)
          })
    return Effect.gen(function* () {
      yield* stored(withService(1), withService(2), deliveries(1, 50, 1), deliveries(51, 60, 2))
      const running = yield* Effect.forkChild(runDue())
      while ((yield* delivery(58))?.status !== "delivered") yield* Effect.yieldNow
      expect(slow).toBe(8)
      yield* Deferred.succeed(open, undefined)
      expect(yield* Fiber.join(running)).toBe(60)
    }).pipe(Effect.provide(workWorld({ answer })))
  })
})
