import { Context, Data, type Effect } from "effect"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { StoreUnavailable } from "./Store.ts"

/** The store is not used because the process's clock is too far off. `message` says how far. */
export class WrongClock extends Data.TaggedError("WrongClock")<{ readonly message: string }> {}

/** The database's clock, which all processes on a store share. */
export class ReferenceClock extends Context.Service<
  ReferenceClock,
  {
    readonly now: Effect.Effect<Timestamp, StoreUnavailable>
  }
>()("payport/core/ports/ReferenceClock") {}
