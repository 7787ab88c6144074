import type { Plan } from "../accounts/Account.ts"
import { Failure } from "../shared/Failure.ts"

/** The limits and the price of a monthly plan (Monthly plans). Money is in US cents. */
export interface PlanTerms {
  readonly price: number
  /** The volume of a month's payments without overage; null is no cap. */
  readonly volume_cap: number | null
  /** The charge on volume above the cap, in parts per ten thousand. */
  readonly overage: number
  /** The most channels that a service may accept. */
  readonly channels: number
  /** The most requests of an account in a minute. */
  readonly rate_limit: number
}

/** The terms of every plan. */
export type PlanTable = { readonly [P in Plan]: PlanTerms }

/**
 * The default terms. The largest plan has no cap: its contract determines the charges above one.
 */
export const PLAN_TERMS: PlanTable = {
  starter: { price: 2_900, volume_cap: 1_000_000, overage: 100, channels: 5, rate_limit: 100 },
  pro: { price: 9_900, volume_cap: 10_000_000, overage: 50, channels: 10, rate_limit: 1_000 },
  enterprise: {
    price: 29_900,
    volume_cap: null,
    overage: 0,
    channels: 13,
    rate_limit: 10_000,
  },
}

/** Refuses a service that accepts more channels than the plan allows; undefined when it may. */
export const tooManyChannels = (plans: PlanTable, plan: Plan, accepted: ReadonlyArray<string>) => {
  const { channels } = plans[plan]
  if (accepted.length <= channels) return undefined
  return new Failure({
    code: "PLAN_LIMIT_EXCEEDED",
    field: "accepted_channels",
    message:
      `A service of the ${plan} plan may accept ${channels} channels, and this one accepts ` +
      `${accepted.length}. Accept fewer, or move to a larger plan.`,
    details: { plan, limit: channels, requested: accepted.length },
  })
}
