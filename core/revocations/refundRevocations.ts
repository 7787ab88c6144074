import { Effect, Result } from "effect"
import type { Caller } from "../accounts/Account.ts"
import type { PaymentIntent } from "../payments/PaymentIntent.ts"
import { remaining } from "../payments/Refunded.ts"
import { takenValue } from "../payments/Taken.ts"
import { Ids } from "../ports/Ids.ts"
import { Store, type Write } from "../ports/Store.ts"
import { ALL } from "../registry/RevocationScope.ts"
import type { Money } from "../shared/Money.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { checkPlanned, checkRevocable, plan, type RevocationPlan, usesDefaults } from "./Policy.ts"
import { machine, type Revocation } from "./Revocation.ts"
import { requireTargetScope } from "./requireItemScope.ts"
import { checkRevoke, type RevokeInput } from "./RevokeInput.ts"

/** A refund that is about to be created. */
export interface RefundToCome {
  readonly id: string
  readonly intent: PaymentIntent
  readonly at: Timestamp
}

/**
 * Returns what a refund revokes, by its request and its service's policy (Refunds and revocations).
 * It does not depend on the refund's id, so that it can fail before anything else is done. A
 * restricted key names only targets of its services and agents.
 */
export const planRevocations = Effect.fnUntraced(function* (
  caller: Caller,
  intent: PaymentIntent,
  amount: Money,
  revoke: RevokeInput | undefined,
) {
  const store = yield* Store
  const spec = revoke && (yield* Effect.fromResult(checkRevoke(revoke)))
  const policy = (yield* store.find("service", intent.service_id))?.revocation_policy ?? null
  const items = usesDefaults(spec, policy)
    ? yield* store.list("access_item", { by: { payment_intent: intent.id }, order: "oldest" })
    : []
  const share = {
    refund: amount.value,
    payment: takenValue(intent),
    left: remaining(intent) - amount.value,
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

/** Returns the writes that release a refund's revocations, for the commit that confirms it. */
export const confirmRevocations = Effect.fnUntraced(function* (refundId: string, at: Timestamp) {
  const waiting = yield* ofRefund(refundId)
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
