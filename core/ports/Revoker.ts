import { Context, type Effect } from "effect"
import type { PendingRevocation, RevocationError } from "../revocations/Revocation.ts"

/** One attempt to revoke an access. Attempts of one revocation share its id. */
export interface RevocationOrder {
  readonly revocation: PendingRevocation
  /** From 1. */
  readonly attempt: number
  /** The address of the seller's own revocation system; null without one. */
  readonly revoke_url: string | null
}

/**
 * The outcome of an attempt. An attempt with an unknown outcome counts as failed and is repeated.
 */
export type RevocationOutcome =
  | { readonly type: "revoked" }
  | { readonly type: "failed"; readonly error: RevocationError }

/**
 * Revokes an access where it was granted. The core keeps the deny list itself. This port is for all
 * other systems that must know. Repeating an order must be harmless.
 */
export class Revoker extends Context.Service<
  Revoker,
  {
    /** Never fails: every failure is an outcome. */
    readonly revoke: (order: RevocationOrder) => Effect.Effect<RevocationOutcome>
  }
>()("payport/core/ports/Revoker") {}
