import type { Pricing } from "./Resources.ts"

/** A plan that is paid every period. */
export type Plan = NonNullable<Pricing["subscription"]>[number]

/** A billing period in MPP's terms: a number of days, weeks or calendar months. */
export interface Period {
  readonly unit: "day" | "week" | "month"
  readonly count: number
}

/** The periods of plans. Months keep their first day, here and in MPP. */
export const PERIODS: { readonly [I in Plan["interval"]]: Period } = {
  daily: { unit: "day", count: 1 },
  weekly: { unit: "week", count: 1 },
  monthly: { unit: "month", count: 1 },
  quarterly: { unit: "month", count: 3 },
  yearly: { unit: "month", count: 12 },
}
