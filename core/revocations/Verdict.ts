import { ALL } from "../registry/RevocationScope.ts"
import { type AccessItem, isRevoked } from "./AccessItem.ts"
import type { Revocation, RevocationError } from "./Revocation.ts"

/**
 * The most scopes of a target that are revoked one by one. Each revocation rewrites them all, and a
 * gate is told all of them.
 */
export const MOST_REVOKED = 500

/** What is known about a revocation's target. */
export interface KnownTarget {
  /** The seller's own item, registered or on the deny list. */
  readonly item: AccessItem | undefined
  /** Whether another seller has registered the same type and identifier. */
  readonly others: boolean
  /** Whether the request of the refund names the target. Otherwise the service's policy does. */
  readonly isNamed: boolean
}

const notFound = (message: string): RevocationError => ({
  code: "revocation_target_not_found",
  message,
})

/**
 * Returns why a target cannot be revoked, before the seller's system is asked; undefined if it can
 * (Errors, `revocation_target_not_found`). An unregistered target can be revoked unless the
 * service's policy is strict. It is then on the deny list. A policy means what the refunded payment
 * bought, so it does not revoke what has been registered for another payment since.
 */
export const verdict = (
  { payment_intent, scope, strict }: Pick<Revocation, "payment_intent" | "scope" | "strict">,
  { isNamed, item, others }: KnownTarget,
): RevocationError | undefined => {
  if (item !== undefined && isRevoked(item, scope)) {
    return notFound("The target is already revoked in this scope.")
  }
  const registered = item !== undefined && item.payment_intent !== null
  if (!registered && others) {
    return { code: "permission_error", message: "The target belongs to another seller." }
  }
  if (registered && !isNamed && item.payment_intent !== payment_intent) {
    return notFound("The target was registered for another payment meanwhile.")
  }
  return registered || !strict ? undefined : notFound("No such target is registered.")
}

/**
 * Returns why no further scope of a target can be revoked; undefined if one can. `all` always can.
 * What the seller's system has revoked is recorded in any case, so this is decided before it is
 * asked.
 */
export const excess = (
  { scope }: Pick<Revocation, "scope">,
  { item }: Pick<KnownTarget, "item">,
): RevocationError | undefined =>
  scope === ALL || (item?.revoked.length ?? 0) < MOST_REVOKED
    ? undefined
    : {
        code: "revocation_limit_exceeded",
        message: `The target has ${MOST_REVOKED} revoked scopes, the most. Revoke ${ALL} of it.`,
      }
