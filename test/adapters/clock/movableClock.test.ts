import { describe, expect, it } from "@effect/vitest"
import { Clock, Deferred, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as movableClock from "../../../adapters/clock/movableClock.ts"
import * as MemoryDocuments from "../../../adapters/memory/MemoryDocuments.ts"
import { Documents } from "../../../core/ports/Documents.ts"
import { MovableClock } from "../../../core/ports/MovableClock.ts"
import { HOUR, SECOND } from "../../../core/shared/Timestamp.ts"
import { T0 } from "../../support/records.ts"

/** A separate process over the stored documents. */
const process = Effect.map(
  Layer.build(movableClock.layer),
  (context) =>
    <A, E, R>(self: Effect.Effect<A, E, R>) =>
      Effect.provideContext(self, context),
)

const now = Clock.currentTimeMillis
const moveTo = (at: number) => Effect.flatMap(MovableClock, (clock) => clock.moveTo(at))
const exclusively = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.flatMap(MovableClock, (clock) => clock.exclusively(self))

const start = Effect.andThen(TestClock.setTime(T0), process)

describe("the service's clock", () => {
  it.effect("is the system's until it is moved, and goes on from where it was moved to", () =>
    Effect.gen(function* () {
      const inside = yield* start
      expect(yield* inside(now)).toBe(T0)
      yield* inside(moveTo(T0 + HOUR))
      expect(yield* inside(now)).toBe(T0 + HOUR)
      expect(yield* inside(Clock.currentTimeNanos)).toBe(BigInt(T0 + HOUR) * 1_000_000n)
      yield* TestClock.adjust("1 second")
      expect(yield* inside(now)).toBe(T0 + HOUR + SECOND)
    }).pipe(Effect.provide(MemoryDocuments.layer)),
  )

  it.effect("never goes back", () =>
    Effect.gen(function* () {
      const inside = yield* start
      yield* inside(moveTo(T0 + HOUR))
      yield* inside(moveTo(T0 + SECOND))
      expect(yield* inside(now)).toBe(T0 + HOUR)
    }).pipe(Effect.provide(MemoryDocuments.layer)),
  )

  it.effect("does not shorten a sleep", () =>
    Effect.gen(function* () {
      const inside = yield* start
      const sleeping = yield* Effect.forkChild(inside(Effect.sleep("1 minute")))
      yield* Effect.yieldNow
      yield* inside(moveTo(T0 + HOUR))
      expect(sleeping.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(sleeping)
    }).pipe(Effect.provide(MemoryDocuments.layer)),
  )

  it.effect("is found again by the next process, and by another within half a second", () =>
    Effect.gen(function* () {
      const first = yield* start
      const second = yield* process
      yield* first(moveTo(T0 + HOUR))
      expect(yield* second(now)).toBe(T0)
      yield* TestClock.adjust(500)
      expect(yield* second(now)).toBe(T0 + HOUR + 500)
      const third = yield* process
      expect(yield* third(now)).toBe(T0 + HOUR + 500)
    }).pipe(Effect.provide(MemoryDocuments.layer)),
  )

  it.effect("is known to whoever moves it after another", () =>
    Effect.gen(function* () {
      const first = yield* start
      const second = yield* process
      yield* first(exclusively(moveTo(T0 + HOUR)))
      expect(yield* second(exclusively(now))).toBe(T0 + HOUR)
    }).pipe(Effect.provide(MemoryDocuments.layer)),
  )

  it.effect("is where the last of several racing moves put it", () =>
    Effect.gen(function* () {
      const processes = [yield* start, yield* process, yield* process]
      const moves = processes.flatMap((inside, n) =>
        [1, 2, 3].map((m) => inside(moveTo(T0 + (3 * m + n) * HOUR))),
      )
      yield* Effect.all(moves, { concurrency: "unbounded" })
      const fresh = yield* process
      expect(yield* fresh(now)).toBe(T0 + 11 * HOUR)
    }).pipe(Effect.provide(MemoryDocuments.layer)),
  )
})

describe("moving the clock", () => {
  it.effect("is done by one process at a time", () =>
    Effect.gen(function* () {
      const first = yield* start
      const second = yield* process
      const open = yield* Deferred.make<void>()
      const order: Array<string> = []
      const note = (what: string) => Effect.sync(() => void order.push(what))
      const one = yield* Effect.forkChild(
        first(
          exclusively(
            Effect.andThen(note("in"), Effect.andThen(Deferred.await(open), note("out"))),
          ),
        ),
      )
      yield* TestClock.adjust("1 second")
      const two = yield* Effect.forkChild(second(exclusively(note("second"))))
      yield* TestClock.adjust("30 seconds")
      expect(order).toEqual(["in"])
      yield* Deferred.succeed(open, undefined)
      yield* Fiber.join(one)
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(two)
      expect(order).toEqual(["in", "out", "second"])
    }).pipe(Effect.provide(MemoryDocuments.layer)),
  )

  it.effect("is taken over from a process that has died, after ten seconds", () =>
    Effect.gen(function* () {
      const inside = yield* start
      yield* (yield* Documents).put({
        scope: "sandbox",
        id: "clock_mover",
        version: 0,
        body: { holder: "dead", until: T0 + 10 * SECOND },
        due_at: null,
      })
      const heir = yield* Effect.forkChild(inside(exclusively(Effect.succeed("mine"))))
      yield* TestClock.adjust(10 * SECOND - 1)
      expect(heir.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(heir)).toBe("mine")
      expect(yield* (yield* Documents).get("sandbox", "clock_mover")).toBeUndefined()
    }).pipe(Effect.provide(MemoryDocuments.layer)),
  )
})
