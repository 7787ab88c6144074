import { Context, type Effect } from "effect"
import type { Method } from "../listings/Listing.ts"
import type { ProbeAnswer } from "../listings/Probe.ts"

export type { ProbeAnswer } from "../listings/Probe.ts"

/** Asks resources on the public internet for their price, and pays nothing. */
export class ResourceProbe extends Context.Service<
  ResourceProbe,
  {
    /** Never fails: every failure is an answer. Takes at most five seconds. */
    readonly ask: (request: {
      readonly url: string
      readonly method: Method
    }) => Effect.Effect<ProbeAnswer>
  }
>()("payport/core/ports/ResourceProbe") {}
