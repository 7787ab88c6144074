import type { Plan } from "../accounts/Account.ts"
import { type Money, proportion } from "../shared/Money.ts"
import { DAY, type Timestamp } from "../shared/Timestamp.ts"
import { endOf, type Month, startOf } from "../shared/Month.ts"
import {
  type Charge,
  chargeFor,
  type Operation,
  OPERATIONS,
  type UsagePrices,
} from "./Operation.ts"
import type { PlanTerms } from "./Plan.ts"

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
  /** The plan's cap on volume and its overage, as they were in force. */
  readonly terms: Pick<PlanTerms, "volume_cap" | "overage">
}

/** What there is to bill. */
export interface Used {
  readonly month: Month
  readonly plan: Plan
  /** Since when the account is billed. */
  readonly opened_at: Timestamp
  readonly counts: (operation: Operation) => number
  readonly volumes: ReadonlyArray<CurrencyVolume>
  /** The terms of the plan, and what is charged by use. */
  readonly terms: PlanTerms
  readonly usage: UsagePrices
}

/** A plan's price; of the month in which the account was opened, for the days from then on. */
const priceOf = ({ price }: PlanTerms, month: Month, openedAt: Timestamp): number => {
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
export const aboveCap = ({ volume_cap }: Pick<PlanTerms, "volume_cap">, volume: number): number =>
  volume_cap === null ? 0 : Math.max(0, volume - volume_cap)

/** What a month comes to, each line rounded once (Monthly plans, Per-API usage fees). */
export const billOf = ({ counts, month, opened_at, plan, terms, usage, volumes }: Used): Bill => ({
  month,
  plan,
  price: priceOf(terms, month, opened_at),
  charges: OPERATIONS.map((operation) => chargeFor(usage, operation, plan, counts(operation))),
  volumes,
  overage: proportion(aboveCap(terms, volumeOf({ volumes })), terms.overage, 10_000),
  terms: { volume_cap: terms.volume_cap, overage: terms.overage },
})
