// Written independently of core/installs on purpose: see Model.ts.

import type { PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import type { Write } from "../../../core/ports/Store.ts"
import { dayOf, DECIDES_WITHIN, identities } from "../Identities.ts"
import { knowledge } from "../Knowledge.ts"
import type { Rule, Rulebook } from "../Observation.ts"
import { centsOf } from "./exchange.ts"
import { installs, payerOf } from "./installs.ts"
import { UNSPENT } from "./lifecycle.ts"
import { countedOf } from "./taken.ts"

/** The agents of accounts, and the payments to payees without a named payer. */
class Consent {
  /** By account, its agent. */
  readonly agents = new Map<string, string>()
  /** By payee and UTC day, the payments that count against the payee's limits. */
  readonly #counted = new Map<string, Map<string, PaymentIntent>>()
  /** The day in which each of them counts. */
  readonly #days = new Map<string, number>()

  countedWith(payment: PaymentIntent, at: number): ReadonlyArray<PaymentIntent> {
    const day = this.#days.get(payment.id) ?? dayOf(at)
    return [...(this.#counted.get(`${payment.payee_account_id} ${day}`)?.values() ?? [])]
  }

  learn({ kind, op, record }: Write, at: number): void {
    if (kind === "account") this.agents.set(record.id, record.agent_id)
    if (kind !== "payment_intent" || record.payer_account_id !== null) return
    if (record.spending === null || record.spending.counters.length === 0) return
    // A process whose clock is wrong counts a new payment in the day of its own clock.
    const counted_at = op === "insert" ? record.created_at : at
    const day = this.#days.get(record.id) ?? dayOf(counted_at)
    this.#days.set(record.id, day)
    const name = `${record.payee_account_id} ${day}`
    const counted = this.#counted.get(name) ?? new Map<string, PaymentIntent>()
    this.#counted.set(name, counted.set(record.id, record))
  }
}

/** The auditor's knowledge about named payers and payees. */
export const consent = knowledge("consent", Consent, (known, write, at) => known.learn(write, at))

/** The limits of the levels for paying and being paid in a UTC day, in cents. */
const DAILY = [10_000, 100_000, 1_000_000, 10_000_000] as const

/** Checks that another's agent pays only for the seller's own service that it has installed. */
const agreed: Rule<"intent"> = ({ after, before, commit }, model) => {
  if (before !== undefined) return undefined
  const { account_id, payee_account_id, payer_account_id, spending } = after
  if (payer_account_id === null || payer_account_id === account_id) {
    const [first] = spending?.counters ?? []
    const others = [...model.know(consent).agents.keys()].filter(
      (account) => account !== account_id && first?.includes(account) === true,
    )
    return others.length === 0 ? undefined : `counts against ${others[0]}`
  }
  if (payee_account_id !== account_id) return "is named by somebody who is not paid"
  const removed = commit.writes.some(({ kind, op }) => kind === "install" && op === "remove")
  const install = model.know(installs).latest(payerOf(after))
  return install === undefined || removed
    ? `is of ${payer_account_id}, who agreed to nothing`
    : undefined
}

/** Checks that payments without a named payer stay within the payee's own limits. */
const withinPayee: Rule<"intent"> = ({ after, at, before }, model) => {
  const { payee_account_id: payee, payer_account_id, spending } = after
  if (payer_account_id !== null || UNSPENT.has(after.status)) return undefined
  if (spending === null) return "counts against nobody"
  if (spending.counters.length === 0) {
    const taken = after.status === "capturing" || after.status === "captured"
    return taken ? "is captured and counts against nobody" : undefined
  }
  if (before !== undefined && (before.spending?.counters.length ?? 0) > 0) return undefined
  const known = model.know(consent)
  const name = known.agents.get(payee) ?? ""
  const from = after.created_at - DECIDES_WITHIN - model.clocksOff
  const rank = model.know(identities).rankWithin(payee, name, from, at + model.clocksOff)
  const limit = DAILY[rank] ?? 0
  const decided = before === undefined ? after.created_at : at
  const others = known.countedWith(after, decided).filter(({ id }) => id !== after.id)
  const sum = others
    .filter(({ status }) => !UNSPENT.has(status))
    .reduce(
      (total, payment) => total + countedOf(payment, centsOf(payment, model)),
      centsOf(after, model),
    )
  return sum > limit ? `brings its payee to ${sum} cents in a day of at most ${limit}` : undefined
}

/** The rules about whose limits payments use, and with whose consent. */
export const consentRules: Rulebook = { 88: { intent: agreed }, 89: { intent: withinPayee } }
