import { Context, Data, type Effect } from "effect"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { StoreUnavailable } from "./Store.ts"

/** Why a store is not used: the process's own clock is too far off; `message` says how far. */
export class WrongClock extends Data.TaggedError("WrongClock")<{ readonly message: string }> {}

/** The clock that all processes on a store have in common: its database's. */
export class ReferenceClock extends Context.Service<
  ReferenceClock,
  {
    readonly now: Effect.Effect<Timestamp, StoreUnavailable>
  }
>()("payport/core/ports/ReferenceClock") {}
