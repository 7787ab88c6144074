import { Effect, Layer } from "effect"
import { Installation } from "../../core/ports/Installation.ts"
import { Revoker } from "../../core/ports/Revoker.ts"
import { denyList } from "./denyList.ts"
import { sandbox } from "./sandbox.ts"
import { sellerSystem } from "./sellerSystem.ts"

/** Asks a seller's own system, else the deny list. The sandbox also has test outcomes. */
export const layer = Layer.effect(
  Revoker,
  Effect.gen(function* () {
    const { mode } = yield* Installation
    const revoker = yield* sellerSystem(denyList)
    return mode === "sandbox" ? sandbox(revoker) : revoker
  }),
)
