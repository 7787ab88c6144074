import { Failure } from "../shared/Failure.ts"
import type { Money } from "../shared/Money.ts"
import { type AccessItem, isRevoked } from "./AccessItem.ts"
import type { RevokeSpec } from "./RevokeInput.ts"
import { ALL, covers, type Scope, scopeOfRefund } from "../registry/RevocationScope.ts"
import { MOST_TARGETS, type TargetType } from "../registry/RevocationTarget.ts"
import type { RevocationPolicy } from "../registry/Pricing.ts"

/** One access and its scope that a refund revokes. */
export interface PlannedTarget {
  readonly type: TargetType
  readonly id: string
  readonly scope: Scope
}

/** What a refund revokes, once it is confirmed. */
export interface RevocationPlan {
  readonly targets: ReadonlyArray<PlannedTarget>
  /** Whether each target's outcome is an event. The batch's outcome always is. */
  readonly notify: boolean
  /** Whether an unregistered target is not found. */
  readonly strict: boolean
}

/** The amounts of a refund and of its payment, in minor units of one currency. */
export interface RefundShare {
  readonly refund: Money["value"]
  readonly payment: Money["value"]
  /** The amount of the payment that can still be refunded after this refund. */
  readonly left: Money["value"]
}

/** Returns whether the service's default targets apply: the request has no `revoke` field. */
export const usesDefaults = (
  spec: RevokeSpec | undefined,
  policy: RevocationPolicy | null,
): boolean => spec === undefined && policy?.auto_revoke_on_refund === true

/**
 * Returns the default targets of a refund that maps to a scope, without those that others cover.
 */
const wantedBy = (policy: RevocationPolicy | null, mapped: Scope) =>
  (policy?.default_targets ?? [])
    .map(({ scope = mapped, type }) => ({ scope, type }))
    .filter(
      (one, n, all) =>
        !all.some(
          (other, m) =>
            other.type === one.type &&
            covers(other.scope, one.scope) &&
            (other.scope === one.scope ? m < n : m !== n),
        ),
    )

/** Returns the payment's items of each default target whose scope is not revoked yet. */
const defaultTargets = (
  policy: RevocationPolicy | null,
  items: ReadonlyArray<AccessItem>,
  mapped: Scope,
): ReadonlyArray<PlannedTarget> =>
  wantedBy(policy, mapped).flatMap(({ scope, type }) =>
    items
      .filter((item) => item.type === type && !isRevoked(item, scope))
      .map((item) => ({ type: item.type, id: item.item_id, scope })),
  )

/**
 * Returns what a refund revokes (Refunds and revocations). Targets of the request replace the
 * policy's. Without a `revoke`, the policy's default targets are the payment's registered `items`.
 * Without a policy, or with `auto_revoke: false`, there are none. A target's own scope takes
 * precedence over the scope that the refund's share of the payment maps to. By policy, the refund
 * that takes the rest of a payment revokes `all`, so that one refunded in parts keeps nothing.
 */
export const plan = (
  spec: RevokeSpec | undefined,
  policy: RevocationPolicy | null,
  items: ReadonlyArray<AccessItem>,
  { left, payment, refund }: RefundShare,
): RevocationPlan => {
  const mapped = scopeOfRefund(refund, payment)
  const asked = spec?.auto_revoke === true ? spec.targets : []
  return {
    targets: usesDefaults(spec, policy)
      ? defaultTargets(policy, items, left === 0 ? ALL : mapped)
      : asked.map(({ id, scope = mapped, type }) => ({ type, id, scope })),
    notify: spec?.webhook_notify ?? policy?.webhook_on_revoke ?? true,
    strict: policy?.strict ?? false,
  }
}

/**
 * Rejects a partial refund that names targets if an earlier refund of the payment has revoked
 * `all`, or is going to: `refund_exceeds_revocable`.
 */
export const checkRevocable = (
  { targets }: RevocationPlan,
  { payment, refund }: RefundShare,
  allRevoked: boolean,
) =>
  targets.length > 0 && refund < payment && allRevoked
    ? new Failure({
        code: "refund_exceeds_revocable",
        message:
          "An earlier refund of this payment revoked all access, so nothing is left to revoke. " +
          "Refund without revoke.targets.",
        field: "revoke.targets",
        details: { field: "revoke.targets", remaining_revocable: 0 },
      })
    : undefined

/**
 * Rejects more revocations than a refund can have: `revocation_limit_exceeded`. Only a policy
 * reaches that, if its default targets name several scopes of a type. Nothing is left out silently:
 * the request has to name its own targets, or none.
 */
export const checkPlanned = ({ targets }: RevocationPlan) =>
  targets.length <= MOST_TARGETS
    ? undefined
    : new Failure({
        code: "revocation_limit_exceeded",
        message:
          `A refund revokes at most ${MOST_TARGETS} targets, but the service's policy gives ` +
          `${targets.length}. Name targets in revoke.targets of POST /v1/refunds, or set ` +
          "revoke.auto_revoke to false.",
        details: { limit: MOST_TARGETS, targets: targets.length },
      })
