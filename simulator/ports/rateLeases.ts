import { Context, Effect, Layer } from "effect"
import * as MemoryRateLeases from "../../adapters/memory/MemoryRateLeases.ts"
import type { PlanTable } from "../../core/billing/Plan.ts"
import { layer, RequestLimits } from "../../core/billing/limitRequests.ts"
import { RateLeases } from "../../core/ports/RateLeases.ts"
import { StoreUnavailable } from "../../core/ports/Store.ts"
import { type Outage, outageEnd } from "../channels/Outages.ts"
import type { Chance } from "../random/Chance.ts"
import type { Stage } from "../world/Stage.ts"

type Service = RateLeases["Service"]

/** Makes the leases that all processes of a world share. */
export const sharedLeases = (): Service =>
  Context.get(Effect.runSync(Effect.scoped(Layer.build(MemoryRateLeases.layer))), RateLeases)

/** A process's connection to them: sometimes slow, cut, or without an answer to a granted lease. */
export const faultyLeases = (
  leases: Service,
  stage: Stage,
  chance: Chance,
  failovers: ReadonlyArray<Outage>,
  isCut: () => boolean,
): Service => ({
  ...leases,
  lease: (requests) =>
    Effect.gen(function* () {
      const { commit_unanswered, failovers_per_hour, store_latency_ms } = stage.faults()
      const wait = store_latency_ms > 0 && chance.hits(0.5) ? chance.wait(store_latency_ms) : 0
      if (wait > 0) yield* Effect.sleep(wait)
      const isAway = failovers_per_hour > 0 && outageEnd(failovers, stage.now()) !== undefined
      if (isAway || isCut() || stage.isDown("store_away")) {
        return yield* new StoreUnavailable({ outcome: "not_stored", cause: "nobody is there" })
      }
      const given = yield* leases.lease(requests)
      if (!chance.hits(commit_unanswered)) return given
      stage.log.note("commit_unanswered")
      return yield* new StoreUnavailable({ outcome: "unknown", cause: "the connection was lost" })
    }),
})

/** Returns the rate limits of accounts in one process, made when they are first needed. */
export const limitsOf = (leases: Service, plans: PlanTable): typeof RequestLimits.Service => {
  type Limits = NonNullable<typeof RequestLimits.Service>
  const made = Layer.provide(Layer.fresh(layer(plans)), Layer.succeed(RateLeases, leases))
  const make = (): Limits => {
    const limits = Effect.runSync(
      Effect.provide(Effect.flatMap(RequestLimits, Effect.succeed), made),
    )
    if (limits === null) throw new Error("Nothing holds accounts to their rates.")
    return limits
  }
  let limits: Limits | undefined
  return { admit: (account, rate_class) => (limits ??= make()).admit(account, rate_class) }
}
