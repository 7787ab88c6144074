import type { Plan } from "../accounts/Account.ts"
import type { Money } from "../shared/Money.ts"
import { proportion } from "../shared/Proportion.ts"
import { DAY, type Timestamp, toIso } from "../shared/Timestamp.ts"
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

const sum = (parts: ReadonlyArray<number>): number => parts.reduce((all, part) => all + part, 0)

const volumeOf = ({ volumes }: Pick<Bill, "volumes">): number => sum(volumes.map(({ usd }) => usd))

/** The part of a volume that is above the plan's cap. */
const aboveCap = (plan: Plan, volume: number): number => {
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

const usd = (value: number): Money => ({ currency: "USD", value })

/** `1.0` for 100 parts per ten thousand. */
const percent = (basisPoints: number): string =>
  `${Math.floor(basisPoints / 100)}.${String(basisPoints % 100)
    .padStart(2, "0")
    .replace(/0$/, "")}`

const volumeView = (bill: Bill) => {
  const { overage, volume_cap } = PLAN_TERMS[bill.plan]
  const total = volumeOf(bill)
  return {
    total: usd(total),
    by_currency: bill.volumes.map(({ amount, usd: cents }) => ({ amount, total: usd(cents) })),
    cap: volume_cap === null ? null : usd(volume_cap),
    above_cap: usd(aboveCap(bill.plan, total)),
    overage_percent: volume_cap === null ? null : percent(overage),
    overage: usd(bill.overage),
  }
}

/** A bill as it is shown. */
export const billView = (bill: Bill) => ({
  month: bill.month,
  period_start: toIso(startOf(bill.month)),
  period_end: toIso(endOf(bill.month)),
  plan: bill.plan,
  price: usd(bill.price),
  operations: bill.charges.map((charge) => ({ ...charge, cost: usd(charge.cost) })),
  volume: volumeView(bill),
  total: usd(bill.price + bill.overage + sum(bill.charges.map(({ cost }) => cost))),
})
