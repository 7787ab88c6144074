import type { Money } from "../shared/Money.ts"
import type { Install } from "./Install.ts"
import type { Mandate, MandateTerms } from "./Mandate.ts"
import { raisesCap, type SpendCap } from "./SpendCap.ts"

/** What an install is to have charged without asking, and on which channel. */
export interface Wanted {
  readonly auto_pay_limit: Money | null
  readonly spend_cap: SpendCap | null
  /** The channel of a mandate; null where nothing is to be charged. */
  readonly channel: string | null
  /** Whether the limit was asked for just now: only that opens a mandate again that was revoked. */
  readonly asks: boolean
}

/** Whether a person who approved some terms has not approved others. */
export const raises = (approved: MandateTerms, wanted: MandateTerms): boolean => {
  const { currency, value } = approved.auto_pay_limit
  const limit = wanted.auto_pay_limit
  return (
    limit.currency !== currency ||
    limit.value > value ||
    raisesCap(approved.spend_cap, wanted.spend_cap)
  )
}

/** What becomes of an install's mandate. */
export interface Approval {
  /** `new` has a person asked, in place of the mandate that there is; `none` withdraws that. */
  readonly mandate: "keep" | "new" | "none"
  readonly spend_cap_in_force: SpendCap | null
}

/**
 * What a change of an install needs a person's approval for: the first mandate, a higher limit or
 * cap, and another channel (Installs). A lower cap is in force at once; a higher one only where
 * nobody has to be asked, or has approved it.
 */
export const approvalOf = (
  before: Install | undefined,
  mandate: Mandate | undefined,
  { asks, auto_pay_limit, channel, spend_cap }: Wanted,
): Approval => {
  if (auto_pay_limit === null) return { mandate: "none", spend_cap_in_force: spend_cap }
  const open = mandate !== undefined && mandate.status !== "revoked" ? mandate : undefined
  const fits =
    open !== undefined && open.channel === channel && !raises(open, { auto_pay_limit, spend_cap })
  const next = fits ? "keep" : open !== undefined || asks ? "new" : "keep"
  const isApproved = next === "keep" && open?.status === "active"
  const inForce = before?.spend_cap_in_force ?? null
  const waits = before !== undefined && !isApproved && raisesCap(inForce, spend_cap)
  return { mandate: next, spend_cap_in_force: waits ? inForce : spend_cap }
}
