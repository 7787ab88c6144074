import { Effect } from "effect"
import type { Revoker } from "../../core/ports/Revoker.ts"

/**
 * Revokes by the service's own record: sellers' servers query the item that the core stores with
 * the outcome, so nothing else is called.
 */
export const denyList: Revoker["Service"] = {
  revoke: () => Effect.succeed({ type: "revoked" }),
}
