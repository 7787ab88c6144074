import { Effect } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import { defaultCatalog } from "../../core/channels/Catalog.ts"
import { find } from "../../core/channels/Channel.ts"
import { createRefund } from "../../core/refunds/createRefund.ts"
import { CreateRefundInput, refundRules } from "../../core/refunds/RefundInput.ts"
import { RegisterItemInput } from "../../core/revocations/AccessInput.ts"
import { registerAccessItem } from "../../core/revocations/registerAccessItem.ts"
import { decode } from "../../core/shared/Decode.ts"
import { DAY, fromIso, MINUTE, SECOND } from "../../core/shared/Timestamp.ts"
import type { Gate, Request, Shown } from "./Client.ts"
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

const refund = (payee: Caller, intent: Shown, plan: RefundPlan, n: number | "late"): Request => {
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

/** What the payee's gate asks about. */
const gatesOf = ({ items }: AftermathPlan, { revokes }: RefundPlan): ReadonlyArray<Gate> => {
  const named = typeof revokes === "string" ? [] : revokes
  return [...items, ...named].flatMap(({ name: id, type }) => [
    { type, id, scope: null },
    { type, id, scope: "read:summary" },
    { type, id, scope: "all" },
  ])
}

/** Asks for a refund when the channel's window ends, or a little before or after that. */
const refundLate = Effect.fnUntraced(function* (
  { client, stage }: Scene,
  payee: Caller,
  id: string,
  { by, refund: wanted }: NonNullable<AftermathPlan["late"]>,
) {
  const shown = yield* client.read(payee, id)
  const paid = fromIso(shown?.captured_at ?? shown?.succeeded_at ?? "")
  const rules = find(defaultCatalog, shown?.channel ?? "")?.refunds
  if (shown === undefined || paid === undefined || rules === undefined) return
  yield* Effect.sleep(Math.max(paid + rules.window_days * DAY + by - stage.now(), 0))
  if (by > 0) stage.log.note("refund_after_window")
  yield* client.flood(refund(payee, shown, wanted, "late"), wanted.parallel)
})

/** What the payee does about a payment that was made: says what it bought, and gives money back. */
export const playAftermath = Effect.fnUntraced(function* (
  scene: Scene,
  payee: Caller,
  plan: AftermathPlan,
  intent: Shown,
) {
  const { asks_after, items, late, refunds } = plan
  if (refunds.length === 0 && late === null) return
  if (!(yield* awaitPaid(scene, payee, intent.id))) return
  const { client } = scene
  if (late !== null) scene.later.push(refundLate(scene, payee, intent.id, late))
  yield* Effect.forEach(items, (item) => client.send(register(payee, intent.id, item)))
  for (const [n, wanted] of refunds.entries()) {
    yield* Effect.sleep(wanted.after)
    yield* client.flood(refund(payee, intent, wanted, n), wanted.parallel)
    yield* Effect.sleep(asks_after)
    yield* Effect.forEach(gatesOf(plan, wanted), (gate) => client.ask(payee, gate))
  }
})
