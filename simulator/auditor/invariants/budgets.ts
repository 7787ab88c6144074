// Written independently of core/keys on purpose: see Model.ts.

import type { KeyBudget } from "../../../core/accounts/KeyRestrictions.ts"
import type { PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import type { Write } from "../../../core/ports/Store.ts"
import { type Timestamp, utcDay } from "../../../core/shared/Timestamp.ts"
import { knowledge } from "../Knowledge.ts"
import type { Rule, Rulebook } from "../Observation.ts"
import { UNSPENT } from "./lifecycle.ts"
import { countedOf } from "./taken.ts"

const BY = "Under the key "

const PREFIX = "key_"

/**
 * Returns the description that names the key of a payment's request. It omits the prefix, so that
 * it is not taken for an id: payees read it, and must not see ids of a buyer's keys.
 */
export const describedAs = (keyId: string): string => `${BY}${keyId.slice(PREFIX.length)}`

const keyOf = ({ description }: PaymentIntent): string | undefined =>
  description.startsWith(BY) ? `${PREFIX}${description.slice(BY.length)}` : undefined

/** Names a budget and its period of that time. In this world they are per day or in total. */
const periodOf = ({ key_id, period }: KeyBudget, at: Timestamp): string =>
  `${key_id} ${period} ${period === "daily" ? utcDay(at) : ""}`

/** The budgets of keys, and the payments requested with each budget. */
class Budgets {
  readonly #ofKeys = new Map<string, ReadonlyArray<KeyBudget>>()
  readonly #payments = new Map<string, Array<string>>()

  learn({ kind, op, record }: Write): void {
    if (kind !== "api_key" || op === "remove") return
    this.#ofKeys.set(record.id, record.restrictions?.budgets ?? [])
  }

  of(keyId: string): ReadonlyArray<KeyBudget> {
    return this.#ofKeys.get(keyId) ?? []
  }

  /** Returns the payments of a budget in the period of a payment, including this payment. */
  with(budget: KeyBudget, { created_at, id }: PaymentIntent): ReadonlyArray<string> {
    const payments = [...this.paidFrom(budget, created_at), id]
    this.#payments.set(periodOf(budget, created_at), payments)
    return payments
  }

  /** Returns the payments of a budget in the period of that time. */
  paidFrom(budget: KeyBudget, at: Timestamp): ReadonlyArray<string> {
    return this.#payments.get(periodOf(budget, at)) ?? []
  }
}

/** The auditor's knowledge about budgets of keys. */
export const budgets = knowledge("budgets", Budgets, (known, write) => known.learn(write))

/** Returns what payments use of a budget in their currency. */
export const sumOf = (payments: ReadonlyArray<PaymentIntent | undefined>): number =>
  payments.reduce(
    (sum, payment) =>
      payment === undefined || UNSPENT.has(payment.status)
        ? sum
        : sum + countedOf(payment, payment.amount.value),
    0,
  )

/** Checks that the payments requested with a key or its sub-keys stay within its budget. */
const within: Rule<"intent"> = ({ after, before }, model) => {
  const key = keyOf(after)
  if (key === undefined || before !== undefined || UNSPENT.has(after.status)) return undefined
  const known = model.know(budgets)
  for (const budget of known.of(key)) {
    const { currency, value: most } = budget.amount
    const paid = known
      .with(budget, after)
      .map((id) => (id === after.id ? after : model.intents.get(id)?.record))
    const spent = sumOf(paid)
    if (spent > most) return `brings its key to ${spent} ${currency} of at most ${most}`
  }
  return undefined
}

/** The rules about the spending of restricted keys. */
export const budgetRules: Rulebook = { 95: { intent: within } }
