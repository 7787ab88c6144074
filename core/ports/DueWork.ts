import { Context, type Effect } from "effect"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { StoreUnavailable } from "./Store.ts"

/** Work of an adapter that falls due at times of its own, such as a channel's settlements. */
export interface DueWorkItem {
  readonly name: string
  /** When the next piece falls due; undefined if none will. */
  readonly nextDueAt: Effect.Effect<Timestamp | undefined, StoreUnavailable>
  /** Does what is due at `now`, or some of it, and returns the number of pieces done. */
  readonly runDue: (now: Timestamp) => Effect.Effect<number, StoreUnavailable>
}

/** The worker's tasks besides the records of the store; none by default. */
export const DueWork = Context.Reference<ReadonlyArray<DueWorkItem>>("payport/core/ports/DueWork", {
  defaultValue: () => [],
})
