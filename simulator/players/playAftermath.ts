import { Effect } from "effect"
import { defaultCatalog } from "../../core/channels/Catalog.ts"
import { find } from "../../core/channels/Channel.ts"
import { DAY, fromIso, MINUTE, SECOND } from "../../core/shared/Timestamp.ts"
import type { AftermathPlan, RefundPlan } from "../world/plans/Plan.ts"
import type { Gate, PlayerRequest, PlayerWorld, Shown } from "./PlayerWorld.ts"

const PAID = new Set(["captured", "succeeded", "completed"])
const UNPAID = new Set(["failed", "expired", "cancelled", "voided"])

/** Checks the payment until its money has arrived; returns false if it never will. */
const awaitPaid = Effect.fnUntraced(function* <Account, R>(
  { read, sleep }: PlayerWorld<Account, R>,
  payee: Account,
  id: string,
) {
  for (let wait = 5 * SECOND; ; wait = Math.min(wait * 2, 5 * MINUTE)) {
    const shown = yield* read(payee, id)
    if (shown === undefined || UNPAID.has(shown.status)) return false
    if (PAID.has(shown.status)) return true
    yield* sleep(wait)
  }
})

const register = <Account>(
  who: Account,
  intent: string,
  { name, type }: AftermathPlan["items"][number],
): PlayerRequest<Account> => ({
  who,
  path: "/v1/access-items",
  body: { payment_intent: intent, type, id: name },
  key: `${name}-of-${intent}`,
  type: "register",
  intent,
})

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

const refund = <Account>(
  who: Account,
  intent: Shown,
  plan: RefundPlan,
  n: number | "late",
): PlayerRequest<Account> => {
  const { currency, value } = intent.amount
  const amount = plan.share === null ? undefined : Math.max(1, Math.floor(value * plan.share))
  return {
    who,
    path: "/v1/refunds",
    body: {
      payment_intent: intent.id,
      ...(amount !== undefined && { amount: { currency, value: amount } }),
      reason: "requested_by_customer",
      ...revokeOf(plan),
    },
    key: plan.keyed ? `refund-${n}-of-${intent.id}` : null,
    type: "refund",
    intent: intent.id,
  }
}

/** The questions of the payee's gates. */
const gatesOf = ({ items }: AftermathPlan, { revokes }: RefundPlan): ReadonlyArray<Gate> => {
  const named = typeof revokes === "string" ? [] : revokes
  return [...items, ...named].flatMap(({ name: id, type }) => [
    { type, id, scope: null },
    { type, id, scope: "read:summary" },
    { type, id, scope: "all" },
  ])
}

/** Requests a refund when the channel's window ends, or slightly before or after. */
const refundLate = Effect.fnUntraced(function* <Account, R>(
  world: PlayerWorld<Account, R>,
  payee: Account,
  id: string,
  { by, refund: wanted }: NonNullable<AftermathPlan["late"]>,
) {
  const shown = yield* world.read(payee, id)
  const paid = fromIso(shown?.captured_at ?? shown?.succeeded_at ?? "")
  const rules = find(defaultCatalog, shown?.channel ?? "")?.refunds
  if (shown === undefined || paid === undefined || rules === undefined) return
  yield* world.sleepUntil(paid + rules.window_days * DAY + by)
  if (by > 0) world.log.note("refund_after_window")
  yield* world.send(refund(payee, shown, wanted, "late"), wanted.parallel)
})

/** Plays the payee after a payment was made: registers what it bought, and refunds money. */
export const playAftermath = Effect.fnUntraced(function* <Account, R>(
  world: PlayerWorld<Account, R>,
  payee: Account,
  plan: AftermathPlan,
  intent: Shown,
) {
  const { asks_after, items, late, refunds } = plan
  if (refunds.length === 0 && late === null) return
  if (!(yield* awaitPaid(world, payee, intent.id))) return
  if (late !== null) world.later(refundLate(world, payee, intent.id, late))
  yield* Effect.forEach(items, (item) => world.send(register(payee, intent.id, item)))
  for (const [n, wanted] of refunds.entries()) {
    yield* world.sleep(wanted.after)
    yield* world.send(refund(payee, intent, wanted, n), wanted.parallel)
    yield* world.sleep(asks_after)
    yield* world.askGates(payee, intent.id, gatesOf(plan, wanted))
  }
})
