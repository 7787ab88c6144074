// Written independently of core/installs on purpose: see Model.ts.

import type { CapPeriod, SpendCap } from "../../../core/installs/SpendCap.ts"
import type { PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import type { Money } from "../../../core/shared/Money.ts"
import { knowledge } from "../Knowledge.ts"
import type { Model } from "../Model.ts"
import type { Finding, Rule, Rulebook } from "../Observation.ts"
import { givenRates, worthsOf } from "./exchange.ts"
import { installs, isCapped, payerOf, periodAt, PERIODS } from "./installs.ts"
import { UNSPENT } from "./lifecycle.ts"
import { countedOf } from "./taken.ts"

/** What a payment counts against a cap, in its minor units, by the rates of its creation. */
interface Part {
  readonly id: string
  readonly least: number
  readonly most: number
}

/** The payments that count against caps, by payer, currency and period, and the alerts. */
class Spending {
  readonly parts = new Map<string, Array<Part>>()
  /** The payers of whom it is uncertain what counts, since a cap changed beside a payment. */
  readonly unsure = new Set<string>()
  /** The alerts that were sent: of an install, for a percentage, in a period. */
  readonly told = new Set<string>()
}

/** The auditor's knowledge about what counts against caps. */
export const capSpending = knowledge("spending of caps", Spending)

const partOf = (payment: PaymentIntent, currency: string, model: Model): Part | undefined => {
  const { amount, id } = payment
  const worths =
    amount.currency === currency
      ? [amount.value]
      : worthsOf(model.know(givenRates), amount, currency)
  if (worths.length === 0) return undefined
  return { id, least: Math.min(...worths), most: Math.max(...worths) }
}

const nameOf = (payer: string, currency: string, period: CapPeriod, at: number): string =>
  `${payer} ${currency} ${period} ${periodAt(period, at)}`

const alertOf = (install: string, percent: number, period: CapPeriod, at: number): string =>
  `${install} ${percent} ${period} ${periodAt(period, at)}`

/** Returns the most that can have been counted in a period: all that was begun in it. */
const mostOf = (parts: ReadonlyArray<Part>): number =>
  parts.reduce((sum, { most }) => sum + most, 0)

/** Returns the least that counts in a period: what stands of it. */
const leastOf = (parts: ReadonlyArray<Part>, after: PaymentIntent, model: Model): number =>
  parts.reduce((sum, { id, least }) => {
    const payment = id === after.id ? after : model.intents.get(id)?.record
    return payment === undefined || UNSPENT.has(payment.status)
      ? sum
      : sum + countedOf(payment, least)
  }, 0)

/** Checks that an alert is told by the payment with which the spending surely reaches it. */
const toldInTime: Rule<"intent"> = ({ after, at, before, commit }, model) => {
  if (before !== undefined || !isCapped(after)) return undefined
  const payer = payerOf(after)
  const { parts, told, unsure } = model.know(capSpending)
  const from = after.created_at - model.clocksOff
  const install = model.know(installs).throughout(payer, from, at)
  if (install === undefined) {
    if (model.know(installs).latest(payer) !== undefined) unsure.add(payer)
    return undefined
  }
  const cap = install.spend_cap_in_force
  if (cap === null) return undefined
  const { currency, value } = cap.amount
  const part = partOf(after, currency, model)
  if (part === undefined) unsure.add(payer)
  if (part === undefined || unsure.has(payer)) return undefined
  const name = nameOf(payer, currency, cap.period, after.created_at)
  const earlier = mostOf(parts.get(name) ?? [])
  for (const period of PERIODS) {
    const each = nameOf(payer, currency, period, after.created_at)
    parts.set(each, [...(parts.get(each) ?? []), part])
  }
  const now = leastOf(parts.get(name) ?? [], after, model)
  const untold = install.budget_alerts.find((percent) => {
    const reached = value * percent
    if (earlier * 100 >= reached || now * 100 < reached) return false
    if (told.has(alertOf(install.id, percent, cap.period, after.created_at))) return false
    return !(commit.events ?? []).some(
      ({ data, subject_id, type }) =>
        type === "budget.alert" && subject_id === install.id && data["percent"] === percent,
    )
  })
  return untold === undefined
    ? undefined
    : `brings its agent to ${now} ${currency} and tells nobody of ${untold}%`
}

/** The data of an alert. */
interface Alert {
  readonly percent: number
  readonly spent: Money
  readonly spend_cap: SpendCap
}

/** Checks that an alert reports a percentage that was reached, once a period, by what was spent. */
const alerted: Rule<"write"> = ({ commit, write }, model) => {
  if (write.kind !== "event" || write.op !== "insert") return undefined
  const { data, subject_id, type } = write.record
  if (type !== "budget.alert") return undefined
  const { percent, spend_cap: cap, spent } = data as typeof data & Alert
  const paid = commit.writes.find(({ kind }) => kind === "payment_intent")
  if (paid?.kind !== "payment_intent") return "is told of no payment"
  if (spent.value * 100 < cap.amount.value * percent) return `tells of ${percent}% too early`
  const { created_at } = paid.record
  const { told } = model.know(capSpending)
  const name = alertOf(subject_id, percent, cap.period, created_at)
  if (told.has(name)) return `tells of ${percent}% again`
  told.add(name)
  return moreThanSpent(paid.record, cap, spent, model)
}

const moreThanSpent = (
  payment: PaymentIntent,
  { amount, period }: SpendCap,
  spent: Money,
  model: Model,
): Finding => {
  if (spent.currency !== amount.currency) return `tells of ${spent.currency}`
  const payer = payerOf(payment)
  const { parts, unsure } = model.know(capSpending)
  const name = nameOf(payer, amount.currency, period, payment.created_at)
  const most = mostOf(parts.get(name) ?? [])
  return unsure.has(payer) || spent.value <= most
    ? undefined
    : `tells of ${spent.value} ${spent.currency}, of at most ${most} in the period`
}

/** The rules about alerts of what agents spend. */
export const alertRules: Rulebook = { 67: { intent: toldInTime, write: alerted } }
