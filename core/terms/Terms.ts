import { PLAN_TERMS, type PlanTable } from "../billing/Plan.ts"
import { PRICES, type UsagePrices } from "../billing/Operation.ts"
import { type LimitTable, LIMITS } from "../kyc/limits/Limits.ts"
import { FEES, type FeeTable } from "../pricing/Price.ts"

/** The fees and limits of the service. They are data, which an embedder can replace. */
export interface Terms {
  /** The fees of payments, and the spreads of conversions (Transaction fees). */
  readonly fees: FeeTable
  /** The limits of payers by level (KYC level limits). */
  readonly limits: LimitTable
  /** The prices and limits of plans (Monthly plans). */
  readonly plans: PlanTable
  /** The prices of metered operations (Per-API usage fees). */
  readonly usage: UsagePrices
}

/** The default terms of an installation. */
export const usualTerms: Terms = { fees: FEES, limits: LIMITS, plans: PLAN_TERMS, usage: PRICES }
