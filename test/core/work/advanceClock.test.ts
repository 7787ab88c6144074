import { describe, expect, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { DueWork, type DueWorkItem } from "../../../core/ports/DueWork.ts"
import { Store } from "../../../core/ports/Store.ts"
import { DAY, HOUR, MINUTE, SECOND, toIso } from "../../../core/shared/Timestamp.ts"
import { advanceClock } from "../../../core/work/advanceClock.ts"
import { aDelivery, anEvent, anIntent, id, T0 } from "../../support/records.ts"
import { insert, stored, withService, workWorld } from "./workWorld.ts"

/** Work that falls due at fixed times and notes when it was run. */
const alarms = (...times: ReadonlyArray<number>) => {
  const left = [...times]
  const rang: Array<number> = []
  const item: DueWorkItem = {
    name: "alarms",
    nextDueAt: Effect.sync(() => left[0]),
    runDue: (now) =>
      Effect.sync(() => {
        if (left[0] === undefined || left[0] > now) return 0
        left.shift()
        rang.push(now)
        return 1
      }),
  }
  return { item, rang }
}

describe("advanceClock", () => {
  it.effect("moves to the time exactly when nothing is due", () =>
    Effect.gen(function* () {
      yield* stored([])
      expect(yield* advanceClock(90)).toEqual({ now: toIso(T0 + 90 * SECOND), ran: 0 })
      expect(yield* Clock.currentTimeMillis).toBe(T0 + 90 * SECOND)
    }).pipe(Effect.provide(workWorld())),
  )

  it.effect("goes no further than the year 2099, however often it is asked", () =>
    Effect.gen(function* () {
      yield* stored([])
      const refused = yield* Effect.flip(advanceClock(100 * 365 * 86_400))
      expect(refused).toMatchObject({ code: "INVALID_REQUEST", field: "seconds" })
      expect(yield* Clock.currentTimeMillis).toBe(T0)
    }).pipe(Effect.provide(workWorld())),
  )

  it.effect("does what falls due on the way, each at its time and in order", () => {
    const { item, rang } = alarms(T0, T0 + 1, T0 + MINUTE, T0 + MINUTE, T0 + HOUR, T0 + HOUR + 1)
    return Effect.gen(function* () {
      yield* stored([])
      const advanced = yield* advanceClock(3_600).pipe(Effect.provideService(DueWork, [item]))
      expect(rang).toEqual([T0, T0 + 1, T0 + MINUTE, T0 + MINUTE, T0 + HOUR])
      expect(advanced).toEqual({ now: toIso(T0 + HOUR), ran: 5 })
    }).pipe(Effect.provide(workWorld()))
  })

  it.effect("goes through the whole schedule of a delivery that nobody takes", () => {
    const times: Array<number> = []
    const answer = () =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        times.push(now - T0)
        return { status: 500, duration_ms: 1 }
      })
    return Effect.gen(function* () {
      yield* stored(withService(1), [
        insert("event", anEvent({ due_at: null })),
        insert("delivery", aDelivery()),
      ])
      expect((yield* advanceClock(86_400)).ran).toBe(6)
      const minutes = times.map((time) => time / MINUTE)
      expect(minutes).toEqual([0, 1, 6, 36, 156, 516])
    }).pipe(Effect.provide(workWorld({ answer })))
  })

  it.effect("expires in one advance what would expire in a month, and lets it go in a year", () =>
    Effect.gen(function* () {
      const intents = Array.from({ length: 30 }, (_, n) =>
        insert("payment_intent", anIntent({ n: n + 1, created_at: T0 + n * 1_000 })),
      )
      yield* stored(withService(1), intents)
      expect((yield* advanceClock(29 * 86_400)).ran).toBe(90)
      expect(yield* Clock.currentTimeMillis).toBe(T0 + 29 * DAY)
      for (let n = 1; n <= 30; n++) {
        const intent = yield* (yield* Store).find("payment_intent", id("pi", n))
        expect(intent).toMatchObject({ status: "expired", ended_at: intent!.expires_at })
      }
      expect((yield* advanceClock(31_536_000)).ran).toBe(30)
      expect(yield* (yield* Store).find("payment_intent", id("pi", 1))).toBeUndefined()
    }).pipe(Effect.provide(workWorld())),
  )

  it.effect("is not held up by work that stays due whatever is done", () => {
    let tries = 0
    const stuck: DueWorkItem = {
      name: "stuck",
      nextDueAt: Effect.succeed(T0),
      runDue: () => Effect.sync(() => ((tries += 1), 0)),
    }
    return Effect.gen(function* () {
      yield* stored(withService(1), [insert("payment_intent", anIntent())])
      const advanced = yield* advanceClock(31_536_000).pipe(Effect.provideService(DueWork, [stuck]))
      expect(advanced).toEqual({ now: toIso(T0 + 365 * DAY), ran: 4 })
      expect(tries).toBeLessThan(2_000)
    }).pipe(Effect.provide(workWorld()))
  })

  it.effect("waits for what another worker has in hand", () =>
    Effect.gen(function* () {
      yield* stored(withService(1), [insert("payment_intent", anIntent())])
      yield* TestClock.setTime(T0 + 15 * MINUTE)
      const store = yield* Store
      const [held] = yield* store.claimDue("payment_intent", T0 + 15 * MINUTE, {
        limit: 1,
        lease: 30 * SECOND,
      })
      const other = Effect.gen(function* () {
        for (let i = 0; i < 20; i++) yield* Effect.yieldNow
        const ended = { ...held!, status: "expired", ended_at: T0 } as typeof held & object
        yield* store.commit({ writes: [{ op: "replace", kind: "payment_intent", record: ended }] })
        return yield* Clock.currentTimeMillis
      })
      const [, endedAt] = yield* Effect.all([advanceClock(60), other], { concurrency: 2 })
      expect(endedAt).toBe(T0 + 15 * MINUTE)
    }).pipe(Effect.provide(workWorld())),
  )
})
