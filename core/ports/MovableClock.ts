import { Context, type Effect } from "effect"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { StoreUnavailable } from "./Store.ts"

/** The service's clock as a sandbox can move it: forward only, for all processes at once. */
export class MovableClock extends Context.Service<
  MovableClock,
  {
    /** Lasts: a service that is started again goes on from there. A time gone by does nothing. */
    readonly moveTo: (at: Timestamp) => Effect.Effect<void, StoreUnavailable>
    /** Some milliseconds of real time, in which the work of others can get on. */
    readonly pause: Effect.Effect<void>
    /** Runs the effect while no other process moves the clock. */
    readonly exclusively: <A, E, R>(
      self: Effect.Effect<A, E, R>,
    ) => Effect.Effect<A, E | StoreUnavailable, R>
  }
>()("payport/core/ports/MovableClock") {}
