import { Clock, Context, Effect } from "effect"
import type { Timestamp } from "../shared/Timestamp.ts"

/**
 * Real time. Signatures carry it, because receivers compare it with their own. Everything else uses
 * the service's clock, which a sandbox may have moved forward.
 */
export class WallClock extends Context.Service<
  WallClock,
  {
    readonly now: Effect.Effect<Timestamp>
  }
>()("payport/core/ports/WallClock") {}

/**
 * Milliseconds since any moment, to measure how long something takes. A sandbox clock that is moved
 * moves them; a system clock that somebody sets does not.
 */
export const monotonicMillis = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const moved = clock.currentTimeMillisUnsafe() - (yield* (yield* WallClock).now)
  return Number(clock.monotonicTimeNanosUnsafe()) / 1e6 + moved
})
