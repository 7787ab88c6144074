import { type CappedSpending, giveBackTo } from "../installs/Budget.ts"
import { giveBack, type Spending } from "../kyc/limits/Limits.ts"
import type { Reservation } from "../commits/Commit.ts"

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
