import { Context } from "effect"
import { HOUR, type Timestamp } from "../shared/Timestamp.ts"

/** The wait after a successful probe, in milliseconds. */
export const ProbeInterval = Context.Reference<number>("payport/core/listings/ProbeInterval", {
  defaultValue: () => HOUR,
})

/**
 * Since when the clock is being moved (Sandbox); null while it runs normally. The external world
 * does not move with it, so that a resource is not probed again and again while the clock moves by
 * a month.
 */
export const ClockMovedFrom = Context.Reference<Timestamp | null>(
  "payport/core/listings/ClockMovedFrom",
  { defaultValue: () => null },
)
