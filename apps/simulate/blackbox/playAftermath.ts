import { MINUTE, SECOND } from "../../../core/shared/Timestamp.ts"
import type { Scope } from "../../../core/registry/RevocationScope.ts"
import type { TargetType } from "../../../core/registry/RevocationTarget.ts"
import type { SeenPayment, SeenRefund } from "../../../simulator/blackbox/Seen.ts"
import type { AftermathPlan, RefundPlan } from "../../../simulator/world/Plan.ts"
import type { Request } from "./Caller.ts"
import type { Scene } from "./Scene.ts"
import type { Actor } from "./Stage.ts"

interface Access {
  readonly type: TargetType
  readonly id: string
  readonly payment_intent: string | null
  readonly scopes: ReadonlyArray<Scope>
}

const PAID = new Set(["captured", "succeeded", "completed"])
const UNPAID = new Set(["failed", "expired", "cancelled", "voided"])

/** Looks after the payment until its money is here; false where it never will be. */
const awaitPaid = async ({ caller, stage }: Scene, payee: Actor, id: string) => {
  for (let wait = 5 * SECOND; ; wait = Math.min(wait * 2, 5 * MINUTE)) {
    const shown = await caller.read(payee, id)
    if (shown === undefined || UNPAID.has(shown.status)) return false
    if (PAID.has(shown.status)) return true
    await stage.time.sleep(wait)
  }
}

const revokeOf = ({ revokes }: RefundPlan) => {
  if (revokes === "by_policy") return null
  if (revokes === "nothing") return { auto_revoke: false }
  const targets = revokes.map(({ name, scope, type }) => ({
    type,
    id: name,
    ...(scope !== null && { scope }),
  }))
  return { targets }
}

const refund = (
  { stage }: Scene,
  who: Actor,
  payment: SeenPayment,
  plan: RefundPlan,
  n: number,
): Request => {
  const { currency, value } = payment.amount
  const part = plan.share === null ? undefined : Math.max(1, Math.floor(value * plan.share))
  const revoke = revokeOf(plan)
  const body = {
    payment_intent: payment.id,
    ...(part !== undefined && { amount: { currency, value: part } }),
    reason: "requested_by_customer",
    ...(revoke !== null && { revoke }),
  }
  return {
    who,
    method: "POST",
    path: "/v1/refunds",
    body,
    key: plan.keyed ? `refund-${n}-of-${payment.id}` : null,
    done: (made) => {
      const { id } = made as SeenRefund
      stage.witness.payments.get(payment.id)?.revokes.set(id, revoke)
    },
  }
}

/** Registers what was bought, as the seller's own system knows it. */
const register = async (
  { caller, stage }: Scene,
  who: Actor,
  intent: string,
  { name, type }: AftermathPlan["items"][number],
): Promise<Access | undefined> => {
  const body = { payment_intent: intent, type, id: name }
  const path = "/v1/access-items"
  const key = `${name}-of-${intent}`
  const made = (await caller.send({ who, method: "POST", path, body, key })) as Access | undefined
  if (made !== undefined) {
    const { id: item_id, payment_intent, scopes } = made
    stage.witness.access({ account_id: who.name, type, item_id, payment_intent, scopes }, [])
  }
  return made
}

/** Learns what of the payment's accesses its refunds have revoked by now. */
const learn = async (
  { caller, stage }: Scene,
  who: Actor,
  intent: string,
  items: ReadonlyArray<Access>,
): Promise<void> => {
  const path = `/v1/refunds?payment_intent=${intent}&limit=100`
  const list = (await caller.get(who, path)) as
    | { readonly data: ReadonlyArray<SeenRefund> }
    | undefined
  const revoked = (list?.data ?? []).flatMap(({ revocations }) =>
    revocations.filter(({ status }) => status === "revoked"),
  )
  for (const { id, payment_intent, scopes, type } of items) {
    const gone = revoked.filter((one) => one.target_id === id && one.target_type === type)
    const item = { account_id: who.name, type, item_id: id, payment_intent, scopes }
    stage.witness.access(
      item,
      gone.map(({ scope }) => scope),
    )
  }
}

/** The seller's gate asks what is left of an access. */
const askGate = async ({ caller, stage }: Scene, who: Actor, { id, type }: Access) => {
  for (const scope of [null, "read:summary", "all"]) {
    const { auditor } = stage.witness
    const since = auditor.model.step
    const body = { type, id, ...(scope !== null && { scope }) }
    const path = "/v1/access-items/introspect"
    const state = (await caller.send({ who, method: "POST", path, body, key: null })) as
      | { readonly active: boolean }
      | undefined
    if (state === undefined) continue
    const { active } = state
    auditor.see("gate", id, { account: who.name, type, id, scope, active, since })
  }
}

/** What the payee does about a payment that was made: says what it bought, and gives money back. */
export const playAftermath = async (
  scene: Scene,
  payee: Actor,
  plan: AftermathPlan,
  payment: SeenPayment,
): Promise<void> => {
  const { asks_after, refunds } = plan
  if (refunds.length === 0 || !(await awaitPaid(scene, payee, payment.id))) return
  const { caller, stage } = scene
  const items: Array<Access> = []
  for (const item of plan.items) {
    const made = await register(scene, payee, payment.id, item)
    if (made !== undefined) items.push(made)
  }
  for (const [n, wanted] of refunds.entries()) {
    await stage.time.sleep(wanted.after)
    await caller.flood(refund(scene, payee, payment, wanted, n), wanted.parallel)
    await stage.time.sleep(asks_after)
    await learn(scene, payee, payment.id, items)
    for (const item of items) await askGate(scene, payee, item)
  }
}
