import { Effect, Layer } from "effect"
import { WallClock } from "../../core/ports/WallClock.ts"

/** The machine's own time, whatever the service's clock says. */
export const layer: Layer.Layer<WallClock> = Layer.succeed(WallClock, {
  now: Effect.sync(() => Date.now()),
})
