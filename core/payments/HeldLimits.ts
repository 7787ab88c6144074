import { type CappedSpending, giveBackTo } from "../installs/Budget.ts"
import { giveBack, type Spending } from "../kyc/limits/Limits.ts"
import type { Reservation } from "../commits/Commit.ts"
import { capturedInPart, shareOfLimit } from "./Taken.ts"

/**
 * What a payment counts against: its payer's daily limits, and if any its install's spend cap and
 * the budgets of the key that made it.
 */
export interface HeldLimits extends Spending {
  readonly capped?: CappedSpending
  readonly keyed?: ReadonlyArray<CappedSpending>
}

/** Gives back what a payment held that ended unpaid. */
export const releaseLimits = (held: HeldLimits): ReadonlyArray<Reservation> => [
  ...giveBack(held),
  ...(held.capped === undefined ? [] : giveBackTo(held.capped)),
  ...(held.keyed ?? []).flatMap(giveBackTo),
]

/** A payment as far as what it holds of limits is concerned. */
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

/** What a payment counts against its limits now: a capture of a part has given the rest back. */
export const heldOf = (payment: Holding): HeldLimits | null =>
  payment.spending === null || capturedInPart(payment) === undefined
    ? payment.spending
    : mapLimits(payment.spending, (counted) => shareOfLimit(payment, counted))

/** Gives back what a payment does not count any more that is captured in part by its move. */
export const releaseRest = (before: Holding, after: Holding): ReadonlyArray<Reservation> => {
  const { spending } = after
  if (spending === null || capturedInPart(after) === undefined) return []
  if (capturedInPart(before) !== undefined) return []
  return releaseLimits(mapLimits(spending, (counted) => counted - shareOfLimit(after, counted)))
}
