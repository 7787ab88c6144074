import { Effect } from "effect"
import type { ResourceProbe } from "../../core/ports/ResourceProbe.ts"

/** In the worlds nothing is sold at addresses of sellers' own. */
export const NOTHING_LISTED: ResourceProbe["Service"] = {
  ask: () => Effect.succeed({ type: "silent", reason: "unreachable" }),
}
