import { Effect, Layer } from "effect"
import { WallClock } from "../../core/ports/WallClock.ts"

/** The machine's own time, independent of the service's clock. */
export const layer: Layer.Layer<WallClock> = Layer.succeed(WallClock, {
  now: Effect.sync(() => Date.now()),
})
