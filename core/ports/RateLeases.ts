import { Context, type Effect } from "effect"
import type { RateClass } from "../billing/RateWindow.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { StoreUnavailable } from "./Store.ts"

/** Asks for requests of an account's window, to be handed out by this process. */
export interface LeaseRequest {
  readonly account_id: string
  readonly rate_class: RateClass
  /** When the window begins. */
  readonly window: Timestamp
  readonly wanted: number
  /** What all processes may hand out in the window together. */
  readonly limit: number
}

/** What was given, and what is left of the window for everybody. */
export interface Lease {
  readonly granted: number
  readonly left: number
}

/** How many requests of which windows have been taken by any process. */
export class RateLeases extends Context.Service<
  RateLeases,
  {
    /**
     * Takes as much as is left of each window, `wanted` at most. The answers are in the order of
     * the requests, no two of which may be about one window of an account and class.
     */
    readonly lease: (
      requests: ReadonlyArray<LeaseRequest>,
    ) => Effect.Effect<ReadonlyArray<Lease>, StoreUnavailable>
    /** Forgets the windows that began before. Returns how many. */
    readonly purge: (before: Timestamp) => Effect.Effect<number, StoreUnavailable>
  }
>()("payport/core/ports/RateLeases") {}
