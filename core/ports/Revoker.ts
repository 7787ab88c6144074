import { Context, type Effect } from "effect"
import type { PendingRevocation, RevocationError } from "../revocations/Revocation.ts"

/** One attempt to revoke an access. Attempts of one revocation share its id. */
export interface RevocationOrder {
  readonly revocation: PendingRevocation
  /** From 1. */
  readonly attempt: number
  /** Where the service's seller revokes by a system of its own; null where it has none. */
  readonly revoke_url: string | null
}

/** What came of an attempt. One whose outcome nobody knows has failed and is made again. */
export type RevocationOutcome =
  | { readonly type: "revoked" }
  | { readonly type: "failed"; readonly error: RevocationError }

/**
 * Takes an access away where it is granted. What the deny list knows of it is the core's own part;
 * this is for everybody else who has to know. Repeating an order has to be harmless.
 */
export class Revoker extends Context.Service<
  Revoker,
  {
    /** Never fails: every way to fail is an outcome. */
    readonly revoke: (order: RevocationOrder) => Effect.Effect<RevocationOutcome>
  }
>()("payport/core/ports/Revoker") {}
