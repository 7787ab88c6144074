import { Effect } from "effect"
import type { RevocationOutcome, Revoker } from "../../core/ports/Revoker.ts"
import type { Stage } from "../world/Stage.ts"

const unavailable: RevocationOutcome = {
  type: "failed",
  error: { code: "revocation_unavailable", message: "The seller's system did not answer." },
}

/** Sellers' systems that revoke: they do, or they fail at times. */
export const revoker = (stage: Stage): Revoker["Service"] => {
  const chance = stage.chance("revoker")
  return {
    revoke: () =>
      Effect.gen(function* () {
        yield* Effect.sleep(chance.int(1, 300))
        if (!chance.hits(stage.faults().revocation_failed)) return { type: "revoked" }
        stage.log.note("revocation_failed")
        return unavailable
      }),
  }
}
