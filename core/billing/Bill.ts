import type { Plan } from "../accounts/Account.ts"
import { type Money, proportion } from "../shared/Money.ts"
import { DAY, type Timestamp } from "../shared/Timestamp.ts"
import { endOf, type Month, startOf } from "../shared/Month.ts"
import { type Charge, chargeFor, type Operation, OPERATIONS } from "./Operation.ts"
import { PLAN_TERMS } from "./Plan.ts"

/** What an account's payments of a month were in one currency, and in US cents. */
export interface CurrencyVolume {
  readonly amount: Money
  readonly usd: number
}

/** What a month of an account comes to. Money without a currency is in US cents. */
export interface Bill {
  readonly month: Month
  readonly plan: Plan
  readonly price: number
  readonly charges: ReadonlyArray<Charge>
  readonly volumes: ReadonlyArray<CurrencyVolume>
  readonly overage: number
}

/** What there is to bill. */
export interface Used {
  readonly month: Month
  readonly plan: Plan
  /** Since when the account is billed. */
  readonly opened_at: Timestamp
  readonly counts: (operation: Operation) => number
  readonly volumes: ReadonlyArray<CurrencyVolume>
}

/** A plan's price; of the month in which the account was opened, for the days from then on. */
const priceOf = (plan: Plan, month: Month, openedAt: Timestamp): number => {
  const { price } = PLAN_TERMS[plan]
  const days = (endOf(month) - startOf(month)) / DAY
  const before = Math.max(0, Math.floor((openedAt - startOf(month)) / DAY))
  return proportion(price, Math.max(0, days - before), days)
}

/** The sum of some amounts. */
export const sum = (parts: ReadonlyArray<number>): number =>
  parts.reduce((all, part) => all + part, 0)

/** What the payments of a month were in all, in US cents. */
export const volumeOf = ({ volumes }: Pick<Bill, "volumes">): number =>
  sum(volumes.map(({ usd }) => usd))

/** The part of a volume that is above the plan's cap. */
export const aboveCap = (plan: Plan, volume: number): number => {
  const { volume_cap } = PLAN_TERMS[plan]
  return volume_cap === null ? 0 : Math.max(0, volume - volume_cap)
}

/** What a month comes to, each line rounded once (Monthly plans, Per-API usage fees). */
export const billOf = ({ counts, month, opened_at, plan, volumes }: Used): Bill => ({
  month,
  plan,
  price: priceOf(plan, month, opened_at),
  charges: OPERATIONS.map((operation) => chargeFor(operation, plan, counts(operation))),
  volumes,
  overage: proportion(aboveCap(plan, volumeOf({ volumes })), PLAN_TERMS[plan].overage, 10_000),
})
