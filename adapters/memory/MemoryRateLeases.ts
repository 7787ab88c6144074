import { Effect, Layer } from "effect"
import { RateLeases } from "../../core/ports/RateLeases.ts"
import { IN_MEMORY, type Keeping } from "./Keeping.ts"
import type { Atomically } from "./State.ts"

/** Returns `RateLeases` over a store's medium. */
export const makeRateLeases = (keeping: Keeping, atomically: Atomically): RateLeases["Service"] => {
  /** The leased requests, by window, class and account. */
  const taken = keeping.map<number>("rate leases")
  return {
    lease: (requests) =>
      atomically(() =>
        requests.map(({ account_id, limit, rate_class, wanted, window }) => {
          const name = `${window} ${rate_class} ${account_id}`
          const before = taken.get(name) ?? 0
          const granted = Math.max(0, Math.min(wanted, limit - before))
          taken.set(name, before + granted)
          return { granted, left: Math.max(0, limit - before - granted) }
        }),
      ),
    purge: (before) =>
      atomically(() => {
        let purged = 0
        for (const name of taken.keys()) {
          if (Number.parseInt(name, 10) < before && taken.delete(name)) purged += 1
        }
        return purged
      }),
  }
}

/** `RateLeases` in memory, for one process. Each build counts separately. */
export const layer = Layer.sync(RateLeases, () => makeRateLeases(IN_MEMORY, Effect.sync))
