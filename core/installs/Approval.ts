import type { Money } from "../shared/Money.ts"
import type { Install } from "./Install.ts"
import type { Mandate, MandateTerms } from "./Mandate.ts"
import { raisesCap, type SpendCap } from "./SpendCap.ts"

/** The requested terms of automatic payments, and their channel. */
export interface Wanted {
  readonly auto_pay_limit: Money | null
  readonly spend_cap: SpendCap | null
  /** The channel of the mandate; null without automatic payments. */
  readonly channel: string | null
  /** Whether this request sets the limit. Only then does a new mandate follow a revoked one. */
  readonly asks: boolean
}

/** Tells whether the wanted terms go beyond the approved ones. */
export const raises = (approved: MandateTerms, wanted: MandateTerms): boolean => {
  const { currency, value } = approved.auto_pay_limit
  const limit = wanted.auto_pay_limit
  return (
    limit.currency !== currency ||
    limit.value > value ||
    raisesCap(approved.spend_cap, wanted.spend_cap)
  )
}

/** What a change does to an install's mandate. */
export interface Approval {
  /**
   * `new` asks a person to approve a new mandate that replaces the old; `none` withdraws the old.
   */
  readonly mandate: "keep" | "new" | "none"
  readonly spend_cap_in_force: SpendCap | null
}

/**
 * Decides whether a change of an install needs a person's approval: for the first mandate, a higher
 * limit or cap, and another channel (Installs). A lower cap is in force immediately. A higher cap
 * is in force immediately only if it needs no approval, or has it.
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
