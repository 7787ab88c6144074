import type { Reservation } from "../commits/Commit.ts"
import type { Money } from "../shared/Money.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { CAP_PERIODS, periodStart, type SpendCap } from "./SpendCap.ts"

/**
 * What a payment counts against its payer's spend cap: minor units of the cap's currency, in the
 * sums of every period, so that another period of the cap finds what was spent in it.
 */
export interface CappedSpending {
  readonly value: number
  readonly counters: ReadonlyArray<string>
}

/** An install's cap as one payment meets it. */
export interface Budget {
  readonly install_id: string
  readonly cap: SpendCap
  /** In percent of the cap, ascending. */
  readonly alerts: ReadonlyArray<number>
  /** Names the sum that the cap bounds. */
  readonly counter: string
  /** Names the period, for alerts. */
  readonly period: string
  readonly spending: CappedSpending
}

/** What the names of sums begin with; they end in the first day of their period. */
export const SPEND_COUNTERS = "install_spend:"
/** What the names of the sums of API keys begin with; most end in the first day of their period. */
export const KEY_COUNTERS = "key_spend:"
/** What the names of used proofs of subscriptions begin with; they end in the day of their end. */
export const PROOF_COUNTERS = "subscription_proof:"
/** What the names of alerts begin with; they end in the first day of their period. */
export const ALERT_COUNTERS = "install_alert:"

/** The budget that a payment of so many minor units of the cap's currency has at that time. */
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

/** The counter of one alert in one period, which goes from 0 to 1. */
export const alertCounter = ({ install_id, period }: Budget, percent: number): string =>
  `${ALERT_COUNTERS}${install_id}:${percent}:${period}`

/** The least sum that is so many percent of the cap. */
const reachedAt = ({ amount }: SpendCap, percent: number): number =>
  Math.ceil((amount.value * percent) / 100)

/** What a commit takes of a budget, and the alerts that it sets off. */
export interface Taken {
  readonly reservations: ReadonlyArray<Reservation>
  readonly alerts: ReadonlyArray<number>
  readonly spent: Money
}

/**
 * The reservations and alerts of a payment that takes its part of a budget of which `spent` is
 * used; undefined when it would pass the cap. Alerts in `alerted` were sent in this period before.
 * The commit is refused when other payments have used so much since that it would set off more
 * alerts.
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

/** Gives back what a payment took that ended unpaid. */
export const giveBackTo = ({ counters, value }: CappedSpending): ReadonlyArray<Reservation> =>
  counters.map((counter) => ({ counter, add: -value, limit: 0 }))
