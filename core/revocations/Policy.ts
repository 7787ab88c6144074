import type { RevocationPolicy } from "../registry/ServiceManifest.ts"
import { Failure } from "../shared/Failure.ts"
import type { Money } from "../shared/Money.ts"
import { type AccessItem, isRevoked } from "./AccessItem.ts"
import type { RevokeSpec } from "./RevokeInput.ts"
import { covers, type Scope, scopeOfRefund } from "./Scope.ts"
import { isTargetType, type TargetType } from "./Target.ts"

/** One access and the scope of it that a refund takes away. */
export interface PlannedTarget {
  readonly type: TargetType
  readonly id: string
  readonly scope: Scope
}

/** What a refund revokes, once it is confirmed. */
export interface RevocationPlan {
  readonly targets: ReadonlyArray<PlannedTarget>
  /** Whether each target's outcome is an event; that of the whole always is. */
  readonly notify: boolean
  /** Whether a target that nobody registered is not found. */
  readonly strict: boolean
}

/** The sizes of a refund and of its payment, in minor units of one currency. */
export interface RefundShare {
  readonly refund: Money["value"]
  readonly payment: Money["value"]
}

/** Whether the service's default targets apply: the request names none and does not forbid it. */
export const usesDefaults = (
  spec: RevokeSpec | undefined,
  policy: RevocationPolicy | null,
): boolean => spec === undefined && policy?.auto_revoke_on_refund === true

/** The default targets, each as the payment's items of its type of which that scope is left. */
const defaultTargets = (
  policy: RevocationPolicy | null,
  items: ReadonlyArray<AccessItem>,
  mapped: Scope,
): ReadonlyArray<PlannedTarget> => {
  const planned: Array<PlannedTarget> = []
  for (const { scope = mapped, type } of policy?.default_targets ?? []) {
    for (const item of items) {
      if (!isTargetType(type) || item.type !== type || isRevoked(item, scope)) continue
      const id = item.item_id
      const same = (other: PlannedTarget) => other.type === type && other.id === id
      if (planned.some((other) => same(other) && covers(other.scope, scope))) continue
      planned.push({ type, id, scope })
    }
  }
  return planned
}

/**
 * What a refund revokes (Refunds and revocations). Targets of the request stand in place of the
 * policy's; without a `revoke` the policy's default targets are the payment's registered `items`;
 * without a policy, or with `auto_revoke: false`, there is nothing. A target's own scope wins over
 * the one that the refund's share of the payment maps to.
 */
export const plan = (
  spec: RevokeSpec | undefined,
  policy: RevocationPolicy | null,
  items: ReadonlyArray<AccessItem>,
  { payment, refund }: RefundShare,
): RevocationPlan => {
  const mapped = scopeOfRefund(refund, payment)
  const asked = spec?.auto_revoke === true ? spec.targets : []
  return {
    targets: usesDefaults(spec, policy)
      ? defaultTargets(policy, items, mapped)
      : asked.map(({ id, scope = mapped, type }) => ({ type, id, scope })),
    notify: spec?.webhook_notify ?? policy?.webhook_on_revoke ?? true,
    strict: policy?.strict ?? false,
  }
}

/**
 * Refuses a partial refund that names targets when an earlier refund of the payment has revoked
 * `all`, or is about to: `refund_exceeds_revocable`.
 */
export const checkRevocable = (
  { targets }: RevocationPlan,
  { payment, refund }: RefundShare,
  allRevoked: boolean,
): Failure | undefined =>
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
