import { type CappedSpending, giveBackTo } from "../installs/Budget.ts"
import { giveBack, type Spending } from "../kyc/limits/Limits.ts"
import type { Reservation } from "../commits/Commit.ts"
import { capturedInPart, shareOfLimit } from "./Taken.ts"

/**
 * The limits that a payment counts against: its payer's daily limits, its install's spend cap and
 * the budgets of the key that made it, if any.
 */
export interface HeldLimits extends Spending {
  readonly capped?: CappedSpending
  readonly keyed?: ReadonlyArray<CappedSpending>
}

/** Returns the reservations that give back what an unpaid payment held. */
export const releaseLimits = (held: HeldLimits): ReadonlyArray<Reservation> => [
  ...giveBack(held),
  ...(held.capped === undefined ? [] : giveBackTo(held.capped)),
  ...(held.keyed ?? []).flatMap(giveBackTo),
]

/** The fields of a payment that decide what it holds of its limits. */
type Holding = Parameters<typeof capturedInPart>[0] & { readonly spending: HeldLimits | null }

const mapLimits = (held: HeldLimits, count: (counted: number) => number): HeldLimits => {
  const { capped, cents, keyed } = held
  const sum = (spent: CappedSpending) => ({ ...spent, value: count(spent.value) })
  return {
    ...held,
    cents: count(cents),
    ...(capped !== undefined && { capped: sum(capped) }),
    ...(keyed !== undefined && { keyed: keyed.map(sum) }),
  }
}

/**
 * Returns what a payment counts against its limits now. A partial capture has given the rest back.
 */
export const heldOf = (payment: Holding): HeldLimits | null =>
  payment.spending === null || capturedInPart(payment) === undefined
    ? payment.spending
    : mapLimits(payment.spending, (counted) => shareOfLimit(payment, counted))

/** Returns the reservations that give the rest back if this move captured a part. */
export const releaseRest = (before: Holding, after: Holding): ReadonlyArray<Reservation> => {
  const { spending } = after
  if (spending === null || capturedInPart(after) === undefined) return []
  if (capturedInPart(before) !== undefined) return []
  return releaseLimits(mapLimits(spending, (counted) => counted - shareOfLimit(after, counted)))
}
