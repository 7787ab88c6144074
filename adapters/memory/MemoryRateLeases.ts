import { Effect, Layer } from "effect"
import { RateLeases } from "../../core/ports/RateLeases.ts"

const make = (): RateLeases["Service"] => {
  const windows = new Map<number, Map<string, number>>()
  return {
    lease: (requests) =>
      Effect.sync(() =>
        requests.map(({ account_id, limit, rate_class, wanted, window }) => {
          const taken = windows.get(window) ?? new Map<string, number>()
          windows.set(window, taken)
          const name = `${rate_class} ${account_id}`
          const before = taken.get(name) ?? 0
          const granted = Math.max(0, Math.min(wanted, limit - before))
          taken.set(name, before + granted)
          return { granted, left: Math.max(0, limit - before - granted) }
        }),
      ),
    purge: (before) =>
      Effect.sync(() => {
        let purged = 0
        for (const [window, { size }] of windows) {
          if (window < before && windows.delete(window)) purged += size
        }
        return purged
      }),
  }
}

/** `RateLeases` in memory, for the one process that it is. Each build counts for itself. */
export const layer = Layer.sync(RateLeases, make)
