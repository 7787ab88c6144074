import { defineKind, ownDueAt } from "../commits/KindDeclaration.ts"
import type { Account, Plan } from "./Account.ts"
import { PLANS } from "./Account.ts"
import { MINUTE, type Timestamp } from "../shared/Timestamp.ts"
import { endOf, type Month, monthOf, nextMonth, startOf } from "../shared/Month.ts"

/** A plan of an account, and since when. */
export interface PlanSince {
  readonly plan: Plan
  readonly since: Timestamp
}

/**
 * The first month of an account without a statement. Each account has one cycle; every statement
 * moves it to the next month.
 */
export interface BillingCycle {
  /** `cyc_` and the account's UUID. */
  readonly id: string
  readonly version: number
  readonly account_id: string
  readonly month: Month
  /** When billing of the account began. */
  readonly opened_at: Timestamp
  /** The plans since the month began, the current one last. */
  readonly plans: ReadonlyArray<PlanSince>
  /** When the month's statement is made. */
  readonly due_at: Timestamp | null
}

/** Waits for decisions before midnight that are stored a moment after it. */
const STRAGGLERS = MINUTE

const closesAt = (month: Month): Timestamp => endOf(month) + STRAGGLERS

/** Returns the id of an account's cycle. */
export const cycleId = (accountId: string): string => `cyc_${accountId.slice("acct_".length)}`

/** Returns the first cycle of an account that is billed from `at` on. */
export const openCycle = (account: Pick<Account, "id" | "plan">, at: Timestamp): BillingCycle => ({
  id: cycleId(account.id),
  version: 1,
  account_id: account.id,
  month: monthOf(at),
  opened_at: at,
  plans: [{ plan: account.plan, since: at }],
  due_at: closesAt(monthOf(at)),
})

/** Adds a new plan to the cycle. */
export const withPlan = (cycle: BillingCycle, plan: Plan, since: Timestamp): BillingCycle => ({
  ...cycle,
  plans: [...cycle.plans, { plan, since }],
})

/** Returns the plans that were in force at some time from `from` until before `to`. */
const inForce = (
  plans: ReadonlyArray<PlanSince>,
  from: Timestamp,
  to: Timestamp,
): ReadonlyArray<PlanSince> =>
  plans.filter(({ since }, index) => since < to && (plans[index + 1]?.since ?? Infinity) > from)

/** Moves the cycle to the next month, with the plans that are in force in it. */
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
 * Returns the plan that a month is billed by: the largest that the account had in it. A change to a
 * smaller plan takes effect in the month after it.
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

/** How the store keeps billing cycles. */
export const billingCycleKind = defineKind("billing_cycle", {
  prefix: "cyc",
  erased: false,
  dueAt: ownDueAt,
})
