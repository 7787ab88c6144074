import { MAX_VALUE, type Money } from "../shared/Money.ts"
import type { Invoice, InvoiceLine } from "./Invoice.ts"
import type { Billable } from "./Tab.ts"
import { costOf, sumOf, type UsageSum, wholeOf } from "./Usage.ts"

/** What bills of a currency have left to the next one of it. */
export interface CarriedAmount {
  readonly currency: string
  /** Minor units, as an exact decimal: more than zero. */
  readonly value: string
}

/**
 * What a tab carries, one amount for each currency. A tab has bills of another currency after its
 * service's price has changed. What is carried stays in its own: converted, it would depend on the
 * rate of the day.
 */
export type Carried = ReadonlyArray<CarriedAmount>

/** The fields of an invoice that depend on the period and its use. */
type BilledTerms = Pick<Invoice, "lines" | "amount" | "period" | "period_start" | "period_end">

/** A bill of a period, before it is decided whether it can be paid. */
export interface TabBill {
  readonly terms: BilledTerms
  /** What the use of the period costs before it is rounded: minor units, as an exact decimal. */
  readonly used: string
  /** What it charges before it is rounded, with what the tab carries if it takes that. */
  readonly exact: string
  /** Whether it charges what the tab carries in its currency. */
  readonly takesCarried: boolean
}

/**
 * Returns how a bill is rounded. That of a period which ended because the tab was closed is rounded
 * up: otherwise an agent that closes its tab after each small use would pay nothing.
 */
export const roundingOf = (isStopped: boolean): "half-even" | "ceil" =>
  isStopped ? "ceil" : "half-even"

/** Returns what a tab carries to a bill in that currency: minor units, as an exact decimal. */
export const carriedIn = (carried: Carried, currency: string): string =>
  carried.find((each) => each.currency === currency)?.value ?? "0"

const carriedLine = (unit_amount: string, amount: Money): InvoiceLine => ({
  description: "carried over from earlier bills",
  quantity: "1",
  unit_amount,
  amount,
})

/**
 * Returns the bill of a period, with what the tab carries in its currency; undefined where nothing
 * was used. The exact sum is rounded once, and the second line has what the first one leaves of it.
 * What does not fit in one payment stays carried.
 */
export const billOf = (
  { end, isStopped, number, price, start }: Billable,
  { quantity, records }: UsageSum,
  carried: Carried,
): TabBill | undefined => {
  if (records === 0) return undefined
  const { currency, rate, unit } = price
  const rounding = roundingOf(isStopped)
  const used = costOf(quantity, rate)
  const first = wholeOf(used, rounding)
  const rest = carriedIn(carried, currency)
  const both = sumOf([used, rest])
  const sum = wholeOf(both, rounding)
  const takesCarried = rest !== "0" && sum <= MAX_VALUE
  const amount = { currency, value: takesCarried ? sum : first }
  const line = {
    description: unit,
    quantity,
    unit_amount: rate,
    amount: { currency, value: first },
  }
  const lines = takesCarried ? [line, carriedLine(rest, { currency, value: sum - first })] : [line]
  const terms = { lines, amount, period: number, period_start: start, period_end: end }
  return { terms, used, exact: takesCarried ? both : used, takesCarried }
}

/** Tells whether a bill is rounded to nothing although something is owed. */
export const isBelowUnit = ({ exact, terms }: Pick<TabBill, "exact" | "terms">): boolean =>
  terms.amount.value === 0 && exact !== "0"

/**
 * Returns what a tab carries after a bill. One that cannot be paid leaves all of its use, exactly,
 * to the next bill of its currency. Other currencies stay as they are.
 */
export const carriedAfter = (
  carried: Carried,
  { takesCarried, terms, used }: TabBill,
  isLeft: boolean,
): Carried => {
  const { currency } = terms.amount
  if (!isLeft && !takesCarried) return carried
  const others = carried.filter((each) => each.currency !== currency)
  if (!isLeft) return others
  return [...others, { currency, value: sumOf([carriedIn(carried, currency), used]) }]
}
