import { Context, type Effect } from "effect"
import type { Timestamp } from "../shared/Timestamp.ts"

/**
 * The time that the rest of the world has. Signatures carry it, because receivers compare it with
 * their own; everything else goes by the service's clock, which a sandbox may have advanced.
 */
export class WallClock extends Context.Service<
  WallClock,
  {
    readonly now: Effect.Effect<Timestamp>
  }
>()("payport/core/ports/WallClock") {}
