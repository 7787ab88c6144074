import type { Reservation } from "../commits/Commit.ts"
import type { Money } from "../shared/Money.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { CAP_PERIODS, periodStart, type SpendCap } from "./SpendCap.ts"

/**
 * What a payment counts against its payer's spend cap, in minor units of the cap's currency. It is
 * added to the sums of all periods, so that a cap with a new period includes earlier payments.
 */
export interface CappedSpending {
  readonly value: number
  readonly counters: ReadonlyArray<string>
}

/** An install's cap, as applied to one payment. */
export interface Budget {
  readonly install_id: string
  readonly cap: SpendCap
  /** Percentages of the cap, ascending. */
  readonly alerts: ReadonlyArray<number>
  /** The name of the sum that the cap limits. */
  readonly counter: string
  /** The period, as part of the names of alerts. */
  readonly period: string
  readonly spending: CappedSpending
}

/** Prefix of the names of sums. The names end in the first day of their period. */
export const SPEND_COUNTERS = "install_spend:"
/** Prefix of the names of the sums of API keys. Most names end in the first day of their period. */
export const KEY_COUNTERS = "key_spend:"
/**
 * Prefix of the names of used subscription proofs. The names end in the day of the proof's expiry.
 */
export const PROOF_COUNTERS = "subscription_proof:"
/** Prefix of the names of alerts. The names end in the first day of their period. */
export const ALERT_COUNTERS = "install_alert:"

/** Returns the budget of a payment of `value` minor units of the cap's currency at `at`. */
export const budgetOf = (
  install: { readonly id: string; readonly budget_alerts: ReadonlyArray<number> },
  cap: SpendCap,
  value: number,
  at: Timestamp,
): Budget => {
  const sum = (period: SpendCap["period"]): string =>
    `${SPEND_COUNTERS}${install.id}:${cap.amount.currency}:${period}:${periodStart(period, at)}`
  return {
    install_id: install.id,
    cap,
    alerts: install.budget_alerts,
    counter: sum(cap.period),
    period: `${cap.period}:${periodStart(cap.period, at)}`,
    spending: { value, counters: CAP_PERIODS.map(sum) },
  }
}

/** Returns the name of the counter of an alert in a period, which goes from 0 to 1. */
export const alertCounter = ({ install_id, period }: Budget, percent: number): string =>
  `${ALERT_COUNTERS}${install_id}:${percent}:${period}`

/** Returns the smallest sum that reaches a percentage of the cap. */
const reachedAt = ({ amount }: SpendCap, percent: number): number =>
  Math.ceil((amount.value * percent) / 100)

/** What a commit reserves of a budget, and the alerts that it triggers. */
export interface Taken {
  readonly reservations: ReadonlyArray<Reservation>
  readonly alerts: ReadonlyArray<number>
  readonly spent: Money
}

/**
 * Returns the reservations and alerts of a payment from a budget of which `spent` is used;
 * undefined where the payment would exceed the cap. `alerted` are the alerts already sent in this
 * period. The commit is refused if other payments have meanwhile used so much that it would trigger
 * more alerts.
 */
export const takeFrom = (
  budget: Budget,
  spent: number,
  alerted: ReadonlySet<number>,
): Taken | undefined => {
  const { cap, counter, spending } = budget
  const { currency, value: most } = cap.amount
  const total = spent + spending.value
  if (total > most) return undefined
  const open = budget.alerts.filter((percent) => !alerted.has(percent))
  const alerts = open.filter((percent) => {
    const reached = reachedAt(cap, percent)
    return spent < reached && reached <= total
  })
  const beyond = open.map((percent) => reachedAt(cap, percent)).filter((sum) => sum > total)
  const limit = Math.min(most, ...beyond.map((sum) => sum - 1))
  return {
    spent: { currency, value: total },
    alerts,
    reservations: [
      ...spending.counters.map((name) => ({
        counter: name,
        add: spending.value,
        limit: name === counter ? limit : Number.MAX_SAFE_INTEGER,
      })),
      ...alerts.map((percent) => ({ counter: alertCounter(budget, percent), add: 1, limit: 1 })),
    ],
  }
}

/** Releases the reservations of a payment that ended unpaid. */
export const giveBackTo = ({ counters, value }: CappedSpending): ReadonlyArray<Reservation> =>
  counters.map((counter) => ({ counter, add: -value, limit: 0 }))
