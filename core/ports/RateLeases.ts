import { Context, type Effect } from "effect"
import type { Lease, LeaseRequest } from "../billing/RateWindow.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { StoreUnavailable } from "./Store.ts"

export type { Lease, LeaseRequest } from "../billing/RateWindow.ts"

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
