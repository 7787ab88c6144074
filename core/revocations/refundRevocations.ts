import { Effect, Result } from "effect"
import type { Caller } from "../accounts/Account.ts"
import type { PaymentIntent } from "../payments/PaymentIntent.ts"
import { remaining } from "../payments/Refunded.ts"
import { takenValue } from "../payments/Taken.ts"
import { kept as unchanged } from "../payments/writeIntent.ts"
import { Ids } from "../ports/Ids.ts"
import { Store, type Write } from "../ports/Store.ts"
import { ALL } from "../registry/RevocationScope.ts"
import type { Money } from "../shared/Money.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { RevocationPolicy } from "../registry/Pricing.ts"
import {
  checkPlanned,
  checkRevocable,
  confirmedTargets,
  isAutomatic,
  plan,
  type RevocationPlan,
  revised,
  usesDefaults,
} from "./Policy.ts"
import { machine, type Revocation } from "./Revocation.ts"
import { requireTargetScope } from "./requireItemScope.ts"
import { checkRevoke, isByPolicy, isUnused, type RevokeInput, type Unused } from "./RevokeInput.ts"

/** A refund that is about to be created. */
export interface RefundToCome {
  readonly id: string
  readonly intent: PaymentIntent
  readonly at: Timestamp
}

/**
 * Returns how much of a payment a refund and the confirmed ones leave, given how much is left if
 * the pending ones succeed, too. Those can still fail.
 */
const leftOf = Effect.fnUntraced(function* (
  intent: PaymentIntent,
  left: number,
  value: number,
  refund?: string,
) {
  if (left > 0 || value === takenValue(intent)) return left
  const refunds = yield* (yield* Store).list("refund", { by: { payment_intent: intent.id } })
  return refunds
    .filter(({ id, status }) => status === "pending" && id !== refund)
    .reduce((sum, { amount }) => sum + amount.value, left)
})

const itemsOf = Effect.fnUntraced(function* ({ id }: PaymentIntent) {
  const by = { payment_intent: id }
  return yield* (yield* Store).list("access_item", { by, order: "oldest" })
})

const policyOf = Effect.fnUntraced(function* (service: string) {
  return (yield* (yield* Store).find("service", service))?.revocation_policy ?? null
})

/** The plan of a refund whose confirmation alone decides what it revokes. */
const NOTHING: RevocationPlan = { targets: [], notify: false, strict: false }

/**
 * Returns what a refund revokes, by its request and its service's policy (Refunds and revocations).
 * It does not depend on the refund's id, so that it can fail before anything else is done. A
 * restricted key names only targets of its services and agents.
 */
export const planRevocations = Effect.fnUntraced(function* (
  caller: Caller,
  intent: PaymentIntent,
  amount: Money,
  revoke: RevokeInput | Unused | undefined,
) {
  const store = yield* Store
  if (revoke !== undefined && "unused" in revoke) return NOTHING
  const spec = revoke && (yield* Effect.fromResult(checkRevoke(revoke)))
  const policy = yield* policyOf(intent.service_id)
  const items = usesDefaults(spec, policy) ? yield* itemsOf(intent) : []
  const share = {
    refund: amount.value,
    payment: takenValue(intent),
    left: yield* leftOf(intent, remaining(intent) - amount.value, amount.value),
  }
  const planned = plan(spec, policy, items, share)
  const tooMany = checkPlanned(planned)
  if (tooMany !== undefined) return yield* tooMany
  if (spec === undefined || planned.targets.length === 0) return planned
  yield* requireTargetScope(caller, planned.targets)
  const [all] = yield* store.list("revocation", {
    by: { payment_intent: intent.id, scope: ALL, status: ["pending", "revoked", "expired"] },
    limit: 1,
  })
  const refusal = checkRevocable(planned, share, all !== undefined)
  return refusal === undefined ? planned : yield* refusal
})

/** Returns the planned revocations as records. They wait until {@link confirmRevocations}. */
export const newRevocations = Effect.fnUntraced(function* (
  { at, id: refund, intent }: RefundToCome,
  { notify, strict, targets }: RevocationPlan,
) {
  const ids = yield* Ids
  return targets.map(({ id, scope, type }, position): Revocation => ({
    id: `rvk_${ids.uuid()}`,
    version: 1,
    account_id: intent.payee_account_id,
    refund,
    payment_intent: intent.id,
    service_id: intent.service_id,
    position,
    batch_size: targets.length,
    target_type: type,
    target_id: id,
    scope,
    notify,
    strict,
    status: "pending",
    attempts: 0,
    error: null,
    created_at: at,
    due_at: null,
  }))
})

/** Returns the writes that store new revocations. */
export const insertRevocations = (revocations: ReadonlyArray<Revocation>): ReadonlyArray<Write> =>
  revocations.map((record) => ({ op: "insert", kind: "revocation", record }))

/** Returns a revocation that is due, now that its refund is confirmed. */
const released = (revocation: Revocation, at: Timestamp): Revocation => {
  const moved = machine.step(revocation, { type: "released", at })
  return Result.isSuccess(moved) ? moved.success.record : revocation
}

const ofRefund = Effect.fnUntraced(function* (refund: string) {
  return yield* (yield* Store).list("revocation", { by: { refund }, order: "oldest" })
})

/** A refund that its channel has confirmed. */
interface Confirmed {
  readonly id: string
  readonly amount: Money
  /** What its request says of revocations. */
  readonly revoke: object | null
}

/**
 * Returns the revocations of a refund by policy as they are now that it is confirmed. The scope and
 * the items are decided here, because another refund may have failed since this one began, and an
 * item may have been registered.
 */
const revise = Effect.fnUntraced(function* (
  refund: Confirmed,
  intent: PaymentIntent,
  policy: RevocationPolicy | null,
  waiting: ReadonlyArray<Revocation>,
  at: Timestamp,
) {
  const { value } = refund.amount
  const share = {
    refund: value,
    payment: takenValue(intent),
    left: yield* leftOf(intent, remaining(intent), value, refund.id),
  }
  const revokes = share.left === 0 || !isUnused(refund.revoke)
  const targets = revokes ? confirmedTargets(policy, yield* itemsOf(intent), share) : []
  const { added, dropped, kept } = revised(waiting, targets)
  const { notify, strict } = plan(undefined, policy, [], share)
  const first = Math.max(-1, ...waiting.map(({ position }) => position)) + 1
  const more = yield* newRevocations({ ...refund, intent, at }, { targets: added, notify, strict })
  const batch_size = kept.length + more.length
  const due = (revocation: Revocation) => ({ ...released(revocation, at), batch_size })
  return [
    ...dropped.map((record): Write => ({ op: "remove", kind: "revocation", record })),
    ...kept.map((record): Write => ({ op: "replace", kind: "revocation", record: due(record) })),
    ...insertRevocations(more.map((one) => due({ ...one, position: first + one.position }))),
    // Of two parts confirmed at once, each would take the other for pending.
    ...(value < share.payment ? (unchanged(intent).writes ?? []) : []),
  ]
})

/**
 * Returns the writes that release a refund's revocations, for the commit that confirms it. By
 * policy they also write the payment of a part, so that its parts are confirmed one after the
 * other.
 */
export const confirmRevocations = Effect.fnUntraced(function* (
  refund: Confirmed,
  intent: PaymentIntent,
  at: Timestamp,
) {
  const waiting = yield* ofRefund(refund.id)
  const byPolicy = isByPolicy(refund.revoke)
  const policy = byPolicy ? yield* policyOf(intent.service_id) : null
  if (byPolicy && isAutomatic(policy)) return yield* revise(refund, intent, policy, waiting, at)
  return waiting.map((record): Write => ({
    op: "replace",
    kind: "revocation",
    record: released(record, at),
  }))
})

/** Returns the writes that drop a refund's revocations, for the commit in which it fails. */
export const dropRevocations = Effect.fnUntraced(function* (refundId: string) {
  const waiting = yield* ofRefund(refundId)
  return waiting.map((record): Write => ({ op: "remove", kind: "revocation", record }))
})
