import { PLAN_TERMS, type PlanTable } from "../billing/Plan.ts"
import { PRICES, type UsagePrices } from "../billing/Operation.ts"
import { type LimitTable, LIMITS } from "../kyc/limits/Limits.ts"
import { FEES, type FeeTable } from "../pricing/Price.ts"

/** What the service takes and allows: data, which an embedder replaces. */
export interface Terms {
  /** What payments cost their payee, and what an exchange costs (Transaction fees). */
  readonly fees: FeeTable
  /** What payers of each level may pay (KYC level limits). */
  readonly limits: LimitTable
  /** What the plans cost and allow (Monthly plans). */
  readonly plans: PlanTable
  /** What is charged by use (Per-API usage fees). */
  readonly usage: UsagePrices
}

/** The terms of an installation that brings none of its own. */
export const usualTerms: Terms = { fees: FEES, limits: LIMITS, plans: PLAN_TERMS, usage: PRICES }
