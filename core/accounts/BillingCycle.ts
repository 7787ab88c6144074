import { defineKind, ownDueAt } from "../commits/KindDeclaration.ts"
import type { Account, Plan } from "./Account.ts"
import { PLANS } from "./Account.ts"
import { MINUTE, type Timestamp } from "../shared/Timestamp.ts"
import { endOf, type Month, monthOf, nextMonth, startOf } from "../shared/Month.ts"

/** A plan that an account has had since a time. */
export interface PlanSince {
  readonly plan: Plan
  readonly since: Timestamp
}

/**
 * The month of an account that no statement has been made of yet. There is one an account, and it
 * goes from month to month with each statement.
 */
export interface BillingCycle {
  /** `cyc_` and the account's UUID. */
  readonly id: string
  readonly version: number
  readonly account_id: string
  readonly month: Month
  /** Since when the account is billed. */
  readonly opened_at: Timestamp
  /** The plans it has had since the month began, the one in force last. */
  readonly plans: ReadonlyArray<PlanSince>
  /** When the month's statement is made. */
  readonly due_at: Timestamp | null
}

/** What was decided before midnight may be stored a moment after it: that is waited for. */
const STRAGGLERS = MINUTE

const closesAt = (month: Month): Timestamp => endOf(month) + STRAGGLERS

/** The id of an account's cycle. */
export const cycleId = (accountId: string): string => `cyc_${accountId.slice("acct_".length)}`

/** The first month of an account that is billed from a time on. */
export const openCycle = (account: Pick<Account, "id" | "plan">, at: Timestamp): BillingCycle => ({
  id: cycleId(account.id),
  version: 1,
  account_id: account.id,
  month: monthOf(at),
  opened_at: at,
  plans: [{ plan: account.plan, since: at }],
  due_at: closesAt(monthOf(at)),
})

/** The cycle once the account has moved to another plan. */
export const withPlan = (cycle: BillingCycle, plan: Plan, since: Timestamp): BillingCycle => ({
  ...cycle,
  plans: [...cycle.plans, { plan, since }],
})

/** Those of the plans that were in force at some time from `from` until before `to`. */
const inForce = (
  plans: ReadonlyArray<PlanSince>,
  from: Timestamp,
  to: Timestamp,
): ReadonlyArray<PlanSince> =>
  plans.filter(({ since }, index) => since < to && (plans[index + 1]?.since ?? Infinity) > from)

/** The cycle after the month's statement was made: the month after it, on what it has of plans. */
export const advanced = (cycle: BillingCycle): BillingCycle => {
  const month = nextMonth(cycle.month)
  return {
    ...cycle,
    month,
    plans: inForce(cycle.plans, startOf(month), Infinity),
    due_at: closesAt(month),
  }
}

/**
 * The plan that a month is billed by: the largest that the account had in it. So a plan is paid for
 * the months in which it was of use, and a smaller one from the month after it was chosen.
 */
export const billedPlan = (cycle: BillingCycle, month: Month): Plan => {
  const had = inForce(cycle.plans, startOf(month), endOf(month))
  const places = had.map(({ plan }) => PLANS.indexOf(plan))
  return PLANS[Math.max(...places)] ?? cycle.plans[0]?.plan ?? "starter"
}

declare module "../commits/Records.ts" {
  interface DueRecords {
    readonly billing_cycle: BillingCycle
  }
}

/** How billing cycles are kept. */
export const billingCycleKind = defineKind("billing_cycle", {
  prefix: "cyc",
  erased: false,
  dueAt: ownDueAt,
})
