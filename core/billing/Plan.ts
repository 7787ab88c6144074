import type { Plan } from "../accounts/Account.ts"
import { Failure } from "../shared/Failure.ts"

/** What a monthly plan gives and costs (Monthly plans). Money is in US cents. */
export interface PlanTerms {
  readonly price: number
  /** What a month's payments may be worth before overage; null is no cap. */
  readonly volume_cap: number | null
  /** What is charged on volume above the cap, in parts per ten thousand. */
  readonly overage: number
  /** So many channels a service may accept. */
  readonly channels: number
  /** So many requests an account may make in a minute. */
  readonly rate_limit: number
}

/** The terms of every plan. */
export type PlanTable = { readonly [P in Plan]: PlanTerms }

/**
 * The usual terms. The largest has no cap of its own: what it is to pay above one is agreed in its
 * contract.
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
