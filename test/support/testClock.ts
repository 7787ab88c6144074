import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { MovableClock } from "../../core/ports/MovableClock.ts"

/** The test's clock as one that a sandbox moves. Waiting for others lets their fibers run. */
export const testClock = Layer.succeed(MovableClock, {
  moveTo: (at) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      at > now ? TestClock.setTime(at) : Effect.void,
    ),
  pause: Effect.yieldNow,
  exclusively: (self) => self,
})
