import { Cause, Effect, Layer, Option } from "effect"
import { thrownReason } from "../../adapters/shared/thrownReason.ts"
import { Documents } from "../../core/ports/Documents.ts"
import { RateLeases } from "../../core/ports/RateLeases.ts"
import { Store } from "../../core/ports/Store.ts"
import { PayportOptionsError, type StoreLayer } from "./PayportOptions.ts"

const PORTS = [Store.key, Documents.key, RateLeases.key]

const inStore = (message: string, cause?: unknown) =>
  new PayportOptionsError({ option: "store", message: `The option store ${message}`, cause })

/**
 * Opens a store. Fails with its own error, and with `PayportOptionsError` if its code throws, dies
 * or provides too few ports.
 */
export const openStore = (open: () => StoreLayer): StoreLayer =>
  Layer.effectContext(
    Effect.gen(function* () {
      const opening = Effect.suspend(() => Layer.build(open()))
      const context = yield* Effect.catchCause(opening, (cause) => {
        if (Option.isSome(Cause.findErrorOption(cause))) return Effect.failCause(cause)
        const thrown = Cause.squash(cause)
        return Effect.fail(inStore(`did not open: ${thrownReason(thrown)}`, thrown))
      })
      const missing = PORTS.find((key) => !context.mapUnsafe.has(key))
      if (missing === undefined) return context
      return yield* inStore(`provides no ${missing}: it needs Store, Documents and RateLeases.`)
    }),
  )
