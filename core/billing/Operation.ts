import type { Plan } from "../accounts/Account.ts"
import { proportion } from "../shared/Money.ts"

/** The metered operations, in the order in which they are shown (Per-API usage fees). */
export const OPERATIONS = [
  "scan-qr",
  "nlp-payment",
  "nlp-batch",
  "qr-generation",
  "fx-quote",
  "fx-route",
  "reconciliation-report",
  "webhook-replay",
  "sandbox-reset",
] as const
/** One of {@link OPERATIONS}. */
export type Operation = (typeof OPERATIONS)[number]

/** How many operations each plan includes in a month; null is any number. */
type Allowance = { readonly [P in Plan]: number | null }

const everyPlan = (allowance: number | null): Allowance => ({
  starter: allowance,
  pro: allowance,
  enterprise: allowance,
})

/** The price of an operation, and how many are included. */
export interface Price {
  /** The price of one operation in millionths of a US dollar. */
  readonly unit_price: number
  readonly free: Allowance
}

/** The price of every operation. */
export type UsagePrices = { readonly [O in Operation]: Price }

/** The default prices (Per-API usage fees), with what the plans include (Monthly plans). */
export const PRICES: UsagePrices = {
  "scan-qr": { unit_price: 5_000, free: { starter: 1_000, pro: 10_000, enterprise: null } },
  "nlp-payment": { unit_price: 3_000, free: { starter: 100, pro: 5_000, enterprise: null } },
  // Charged per query: 0.25 dollars for a hundred.
  "nlp-batch": { unit_price: 2_500, free: { starter: 0, pro: 0, enterprise: null } },
  "qr-generation": { unit_price: 1_000, free: everyPlan(0) },
  "fx-quote": { unit_price: 2_000, free: everyPlan(500) },
  // The fee of its payment covers it.
  "fx-route": { unit_price: 2_000, free: everyPlan(null) },
  "reconciliation-report": { unit_price: 10_000, free: everyPlan(50) },
  "webhook-replay": { unit_price: 5_000, free: everyPlan(10) },
  "sandbox-reset": { unit_price: 100_000, free: everyPlan(5) },
}

/** The charge for a month's use of an operation. */
export interface Charge {
  readonly operation: Operation
  readonly count: number
  /** Null is any number. */
  readonly free_allowance: number | null
  readonly billable: number
  /** US dollars per operation, as an exact decimal: `0.001`. */
  readonly unit_price: string
  /** US cents, rounded once, half to even. */
  readonly cost: number
}

const MICRO = 1_000_000
const MICRO_A_CENT = 10_000

/** Formats millionths as an exact decimal with at least two places: `0.0025` for 2500. */
const decimal = (micro: number): string => {
  const fraction = String(micro % MICRO).padStart(6, "0")
  return `${Math.floor(micro / MICRO)}.${fraction.replace(/0{1,4}$/, "")}`
}

/** Returns the charge for `count` operations in a month of a plan. */
export const chargeFor = (
  prices: UsagePrices,
  operation: Operation,
  plan: Plan,
  count: number,
): Charge => {
  const { free, unit_price } = prices[operation]
  const free_allowance = free[plan]
  const billable = free_allowance === null ? 0 : Math.max(0, count - free_allowance)
  return {
    operation,
    count,
    free_allowance,
    billable,
    unit_price: decimal(unit_price),
    cost: proportion(billable, unit_price, MICRO_A_CENT),
  }
}
