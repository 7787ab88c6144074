import { expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { Store, StoreUnavailable } from "../../../core/ports/Store.ts"
import { openRuns } from "../../../core/reports/openRuns.ts"
import { T0 } from "../../support/records.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { world } from "../../support/world.ts"

const away = Effect.fail(new StoreUnavailable({ outcome: "not_stored", cause: "away" }))

it.effect.each([
  ["every second while the store is away", away, 60],
  ["more and more rarely after a defect", Effect.die("broken"), 6],
] as const)("today's reconciliation is tried %s", ([, failure, tries]) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(T0)
    const store = yield* Store
    let reads = 0
    const find: typeof store.find = () => {
      reads += 1
      return failure
    }
    const opening = yield* Effect.forkChild(
      Effect.provideService(openRuns(), Store, { ...store, find }),
    )
    yield* TestClock.adjust("59 seconds")
    expect(reads).toBe(tries)
    yield* Fiber.interrupt(opening)
  }).pipe(Effect.provide(world(makeScript()))),
)
