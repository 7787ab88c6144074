import { Effect, Layer } from "effect"
import { Installation } from "../../core/ports/Installation.ts"
import { Revoker } from "../../core/ports/Revoker.ts"
import { denyList } from "./denyList.ts"
import { sandbox } from "./sandbox.ts"
import { sellerSystem } from "./sellerSystem.ts"

/**
 * A seller's own system where it has one, else the deny list; in the sandbox also test outcomes.
 */
export const layer = Layer.effect(
  Revoker,
  Effect.gen(function* () {
    const { mode } = yield* Installation
    const revoker = yield* sellerSystem(denyList)
    return mode === "sandbox" ? sandbox(revoker) : revoker
  }),
)
