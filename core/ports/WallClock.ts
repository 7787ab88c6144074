import { Context, type Effect } from "effect"
import type { Timestamp } from "../shared/Timestamp.ts"

/**
 * Real time. Signatures carry it, because receivers compare it with their own. Everything else uses
 * the service's clock, which a sandbox may have moved forward.
 */
export class WallClock extends Context.Service<
  WallClock,
  {
    readonly now: Effect.Effect<Timestamp>
  }
>()("payport/core/ports/WallClock") {}
