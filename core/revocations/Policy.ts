import { Failure } from "../shared/Failure.ts"
import type { Money } from "../shared/Money.ts"
import { type AccessItem, isRevoked } from "./AccessItem.ts"
import type { Revocation } from "./Revocation.ts"
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
  /** What this refund and the confirmed ones leave. What pending ones take counts as left. */
  readonly left: Money["value"]
}

/** Returns whether a refund that says nothing of revocations revokes the default targets. */
export const isAutomatic = (policy: RevocationPolicy | null): boolean =>
  policy?.auto_revoke_on_refund === true

/** Returns whether the service's default targets apply: the request has no `revoke` field. */
export const usesDefaults = (
  spec: RevokeSpec | undefined,
  policy: RevocationPolicy | null,
): boolean => spec === undefined && isAutomatic(policy)

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

/**
 * Returns the payment's items of each default target whose scope is not revoked yet. The refund
 * that leaves nothing of a payment revokes `all`, so that one refunded in parts keeps nothing.
 */
const defaultTargets = (
  policy: RevocationPolicy | null,
  items: ReadonlyArray<AccessItem>,
  { left, payment, refund }: RefundShare,
): ReadonlyArray<PlannedTarget> =>
  wantedBy(policy, left === 0 ? ALL : scopeOfRefund(refund, payment)).flatMap(({ scope, type }) =>
    items
      .filter((item) => item.type === type && !isRevoked(item, scope))
      .map((item) => ({ type: item.type, id: item.item_id, scope })),
  )

/**
 * Returns what a refund revokes (Refunds and revocations). Targets of the request replace the
 * policy's. Without a `revoke`, the policy's default targets are the payment's registered `items`.
 * Without a policy, or with `auto_revoke: false`, there are none. A target's own scope takes
 * precedence over the scope that the refund's share of the payment maps to.
 */
export const plan = (
  spec: RevokeSpec | undefined,
  policy: RevocationPolicy | null,
  items: ReadonlyArray<AccessItem>,
  share: RefundShare,
): RevocationPlan => {
  const mapped = scopeOfRefund(share.refund, share.payment)
  const asked = spec?.auto_revoke === true ? spec.targets : []
  return {
    targets: usesDefaults(spec, policy)
      ? defaultTargets(policy, items, share)
      : asked.map(({ id, scope = mapped, type }) => ({ type, id, scope })),
    notify: spec?.webhook_notify ?? policy?.webhook_on_revoke ?? true,
    strict: policy?.strict ?? false,
  }
}

/** Returns what revokes the same items as a whole. Each item is one target then. */
const wholly = (targets: ReadonlyArray<PlannedTarget>): ReadonlyArray<PlannedTarget> => {
  const items = new Map(targets.map(({ id, type }) => [`${type} ${id}`, { type, id, scope: ALL }]))
  return [...items.values()]
}

/**
 * Returns what a refund revokes by policy, now that it is confirmed: of the items that are
 * registered now, by what has been given back by now. If a payment that keeps nothing has more
 * targets than a refund can have, each item is revoked as a whole.
 */
export const confirmedTargets = (
  policy: RevocationPolicy | null,
  items: ReadonlyArray<AccessItem>,
  share: RefundShare,
): ReadonlyArray<PlannedTarget> => {
  const targets = defaultTargets(policy, items, share)
  return share.left === 0 && targets.length > MOST_TARGETS ? wholly(targets) : targets
}

/**
 * Returns whether one more of the items, `next`, would give a refund of a part more targets by
 * policy than it can have.
 */
export const revokesTooMany = (
  policy: RevocationPolicy | null,
  items: ReadonlyArray<AccessItem>,
  next: AccessItem,
): boolean => {
  if (!isAutomatic(policy)) return false
  // The smallest part: its scope covers the fewest others.
  const countOf = (all: ReadonlyArray<AccessItem>) =>
    defaultTargets(policy, all, { refund: 0, payment: 1, left: 1 }).length
  const count = countOf([...items.filter(({ id }) => id !== next.id), next])
  return count > MOST_TARGETS && count > countOf(items)
}

const isOf = (target: PlannedTarget, waiting: WaitingTarget): boolean =>
  target.type === waiting.target_type &&
  target.id === waiting.target_id &&
  covers(target.scope, waiting.scope)

/** A revocation that was planned when its refund began. */
type WaitingTarget = Pick<Revocation, "target_type" | "target_id" | "scope">

/** How the revocations of a refund change when it is confirmed. */
export interface Revision<R extends WaitingTarget> {
  /** Those that stay, some with a wider scope. */
  readonly kept: ReadonlyArray<R>
  /** Those that others cover. */
  readonly dropped: ReadonlyArray<R>
  readonly added: ReadonlyArray<PlannedTarget>
}

/**
 * Compares what was planned when a refund began with what it revokes at its confirmation. What was
 * planned is never narrowed: its caller was told of it.
 */
export const revised = <R extends WaitingTarget>(
  waiting: ReadonlyArray<R>,
  targets: ReadonlyArray<PlannedTarget>,
): Revision<R> => {
  const widened = new Map<R, Scope>()
  const added = targets.filter((target) => {
    const first = waiting.find((one) => isOf(target, one) && !widened.has(one))
    if (first !== undefined) widened.set(first, target.scope)
    return first === undefined
  })
  const dropped = waiting.filter(
    (one) => !widened.has(one) && targets.some((target) => isOf(target, one)),
  )
  const kept = waiting
    .filter((one) => !dropped.includes(one))
    .map((one) => ({ ...one, scope: widened.get(one) ?? one.scope }))
  return { kept, dropped, added }
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
