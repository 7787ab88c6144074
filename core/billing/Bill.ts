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

/** The volume of an account's payments of a month in one currency, and its worth in US cents. */
export interface CurrencyVolume {
  readonly amount: Money
  readonly usd: number
}

/** The bill of an account's month. Numbers without a currency are US cents. */
export interface Bill {
  readonly month: Month
  readonly plan: Plan
  readonly price: number
  readonly charges: ReadonlyArray<Charge>
  readonly volumes: ReadonlyArray<CurrencyVolume>
  /**
   * Amounts that payers paid in currencies without an exchange rate, which no charge counts.
   * Missing where there are none.
   */
  readonly unconverted?: ReadonlyArray<Money>
  readonly overage: number
  /** The plan's volume cap and overage at that time. */
  readonly terms: Pick<PlanTerms, "volume_cap" | "overage">
}

/** The inputs of a bill. */
export interface Used {
  readonly month: Month
  readonly plan: Plan
  /** When billing of the account began. */
  readonly opened_at: Timestamp
  readonly counts: (operation: Operation) => number
  readonly volumes: ReadonlyArray<CurrencyVolume>
  readonly unconverted?: ReadonlyArray<Money>
  /** The terms of the plan, and the prices of metered operations. */
  readonly terms: PlanTerms
  readonly usage: UsagePrices
}

/** Returns a plan's price; in the month of the account's opening, for the days from then on. */
const priceOf = ({ price }: PlanTerms, month: Month, openedAt: Timestamp): number => {
  const days = (endOf(month) - startOf(month)) / DAY
  const before = Math.max(0, Math.floor((openedAt - startOf(month)) / DAY))
  return proportion(price, Math.max(0, days - before), days)
}

/** Adds up amounts. */
export const sum = (parts: ReadonlyArray<number>): number =>
  parts.reduce((all, part) => all + part, 0)

/** Returns the volume of a month's payments in US cents. */
export const volumeOf = ({ volumes }: Pick<Bill, "volumes">): number =>
  sum(volumes.map(({ usd }) => usd))

/** Returns the part of a volume that is above the plan's cap. */
export const aboveCap = ({ volume_cap }: Pick<PlanTerms, "volume_cap">, volume: number): number =>
  volume_cap === null ? 0 : Math.max(0, volume - volume_cap)

/** Makes the bill of a month; each line is rounded once (Monthly plans, Per-API usage fees). */
export const billOf = (used: Used): Bill => {
  const { counts, month, opened_at, plan, terms, unconverted = [], usage, volumes } = used
  return {
    month,
    plan,
    price: priceOf(terms, month, opened_at),
    charges: OPERATIONS.map((operation) => chargeFor(usage, operation, plan, counts(operation))),
    volumes,
    ...(unconverted.length > 0 && { unconverted }),
    overage: proportion(aboveCap(terms, volumeOf({ volumes })), terms.overage, 10_000),
    terms: { volume_cap: terms.volume_cap, overage: terms.overage },
  }
}
