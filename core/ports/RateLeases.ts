import { Context, type Effect } from "effect"
import type { Lease, LeaseRequest } from "../billing/RateWindow.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { StoreUnavailable } from "./Store.ts"

export type { Lease, LeaseRequest } from "../billing/RateWindow.ts"

/** Counts the requests that all processes have taken from rate windows. */
export class RateLeases extends Context.Service<
  RateLeases,
  {
    /**
     * Takes what is left of each window, at most `wanted`. The answers are in the order of the
     * requests. No two requests may be about one window of an account and class.
     */
    readonly lease: (
      requests: ReadonlyArray<LeaseRequest>,
    ) => Effect.Effect<ReadonlyArray<Lease>, StoreUnavailable>
    /** Removes the windows that began before that time. Returns how many. */
    readonly purge: (before: Timestamp) => Effect.Effect<number, StoreUnavailable>
  }
>()("payport/core/ports/RateLeases") {}
