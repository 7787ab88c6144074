import { Context, type Effect } from "effect"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { StoreUnavailable } from "./Store.ts"

/** The service's clock, which a sandbox can move: only forward, and for all processes at once. */
export class MovableClock extends Context.Service<
  MovableClock,
  {
    /**
     * Moves the clock for good: a restarted service goes on from there. A past time does nothing.
     */
    readonly moveTo: (at: Timestamp) => Effect.Effect<void, StoreUnavailable>
    /** Waits for some milliseconds of real time, so that other work can go on. */
    readonly pause: Effect.Effect<void>
    /** Runs the effect while no other process moves the clock. */
    readonly exclusively: <A, E, R>(
      self: Effect.Effect<A, E, R>,
    ) => Effect.Effect<A, E | StoreUnavailable, R>
  }
>()("payport/core/ports/MovableClock") {}
