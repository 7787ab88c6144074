import { Effect } from "effect"
import type { Revoker } from "../../core/ports/Revoker.ts"

/**
 * Revokes by the service's own record alone: the item that the core stores with the outcome is what
 * sellers' gates ask about, so there is nobody else to tell.
 */
export const denyList: Revoker["Service"] = {
  revoke: () => Effect.succeed({ type: "revoked" }),
}
