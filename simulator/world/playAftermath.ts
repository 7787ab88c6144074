import { Effect } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import { createRefund } from "../../core/refunds/createRefund.ts"
import { CreateRefundInput, refundRules } from "../../core/refunds/RefundInput.ts"
import { RegisterItemInput } from "../../core/revocations/AccessInput.ts"
import { registerAccessItem } from "../../core/revocations/registerAccessItem.ts"
import { decode } from "../../core/shared/Decode.ts"
import { MINUTE, SECOND } from "../../core/shared/Timestamp.ts"
import type { Request, Shown } from "./Client.ts"
import type { AftermathPlan, RefundPlan } from "./Plan.ts"
import type { Scene } from "./Scene.ts"

const decodeRefund = decode(CreateRefundInput, refundRules)
const decodeItem = decode(RegisterItemInput, {})

const PAID = new Set(["captured", "succeeded", "completed"])
const UNPAID = new Set(["failed", "expired", "cancelled", "voided"])

/** Looks after the payment until its money is here; false where it never will be. */
const awaitPaid = Effect.fnUntraced(function* ({ client }: Scene, payee: Caller, id: string) {
  for (let wait = 5 * SECOND; ; wait = Math.min(wait * 2, 5 * MINUTE)) {
    const shown = yield* client.read(payee, id)
    if (shown === undefined || UNPAID.has(shown.status)) return false
    if (PAID.has(shown.status)) return true
    yield* Effect.sleep(wait)
  }
})

const register = (payee: Caller, intent: string, item: AftermathPlan["items"][number]): Request => {
  const body = { payment_intent: intent, type: item.type, id: item.name }
  return {
    caller: payee,
    route: "POST /v1/access-items",
    body,
    key: `${item.name}-of-${intent}`,
    status: 201,
    optimistic: true,
    verb: Effect.flatMap(Effect.fromResult(decodeItem(body)), (input) =>
      registerAccessItem(payee, input),
    ),
  }
}

const revokeOf = ({ revokes }: RefundPlan) => {
  if (revokes === "by_policy") return {}
  if (revokes === "nothing") return { revoke: { auto_revoke: false } }
  const targets = revokes.map(({ name, scope, type }) => ({
    type,
    id: name,
    ...(scope !== null && { scope }),
  }))
  return { revoke: { targets } }
}

const refund = (payee: Caller, intent: Shown, plan: RefundPlan, n: number): Request => {
  const { currency, value } = intent.amount
  const amount = plan.share === null ? undefined : Math.max(1, Math.floor(value * plan.share))
  const body = {
    payment_intent: intent.id,
    ...(amount !== undefined && { amount: { currency, value: amount } }),
    reason: "requested_by_customer",
    ...revokeOf(plan),
  }
  return {
    caller: payee,
    route: "POST /v1/refunds",
    body,
    key: plan.keyed ? `refund-${n}-of-${intent.id}` : null,
    status: 201,
    optimistic: false,
    verb: Effect.flatMap(Effect.fromResult(decodeRefund(body)), (input) =>
      createRefund(payee, input),
    ),
  }
}

/** What the payee does about a payment that was made: says what it bought, and gives money back. */
export const playAftermath = Effect.fnUntraced(function* (
  scene: Scene,
  payee: Caller,
  { items, refunds }: AftermathPlan,
  intent: Shown,
) {
  if (refunds.length === 0 || !(yield* awaitPaid(scene, payee, intent.id))) return
  const { client } = scene
  yield* Effect.forEach(items, (item) => client.send(register(payee, intent.id, item)))
  for (const [n, plan] of refunds.entries()) {
    yield* Effect.sleep(plan.after)
    yield* client.flood(refund(payee, intent, plan, n), plan.parallel)
  }
})
