import { Context } from "effect"
import { HOUR, type Timestamp } from "../shared/Timestamp.ts"

/** How long after a probe that found a listing to hold the next one comes, in milliseconds. */
export const ProbeInterval = Context.Reference<number>("payport/core/listings/ProbeInterval", {
  defaultValue: () => HOUR,
})

/**
 * Since when the clock is being moved (Sandbox), null while it goes by itself. The world outside
 * does not move with it: what was asked since then is not asked again, a month of probes long.
 */
export const ClockMovedFrom = Context.Reference<Timestamp | null>(
  "payport/core/listings/ClockMovedFrom",
  { defaultValue: () => null },
)
